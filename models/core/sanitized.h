/* models/core/sanitized.h - SANITIZED: 1 where this is built with a sanitizer that shadows memory
 * (address, thread), else 0.  gcc tells by macros, clang 14 by __has_feature. */
#ifndef MODELS_CORE_SANITIZED_H
#define MODELS_CORE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

#endif
