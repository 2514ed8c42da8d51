#!/usr/bin/perl
# tests/data/fetch/sigv4_check.pl - an AWS Signature Version 4 verifier, written from its specification ("Create
# a signed AWS API request", "Elements of an AWS API request signature"), with Digest::SHA.
#
# Questions come on stdin: a line of length, access key, secret, region, service and session token (empty = none
# may be sent), tabs between, and that many bytes of a request as it was received. The answer is a line: "right",
# or what is wrong.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256 hmac_sha256_hex sha256_hex);

# The request line, the headers (name in lower case => list of values) and the body; empty when it is no request.
sub parse {
    my ($bytes) = @_;
    my ($head, $body) = $bytes =~ /\A(.*?)\r\n\r\n(.*)\z/s or return;
    my ($line, @fields) = split /\r\n/, $head;
    my ($method, $target) = $line =~ m{\A([A-Z]+) (\S+) HTTP/1\.1\z} or return;
    my %headers;
    for (@fields) {
        my ($name, $value) = /\A([^:\s]+):(.*)\z/ or return;
        $value =~ s/\A[ \t]+|[ \t]+\z//g;
        $value =~ s/ +/ /g;
        push @{ $headers{ lc $name } }, $value;
    }
    return ($method, $target, \%headers, $body);
}

sub encode {
    my ($text) = @_;
    $text =~ s/([^A-Za-z0-9\-._~])/sprintf '%%%02X', ord $1/ge;
    return $text;
}

sub decode {
    my ($text) = @_;
    $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
    return $text;
}

# Services other than S3 encode the path once more than it was sent.
sub canonical_path {
    return join '/', map { encode($_) } split m{/}, $_[0], -1;
}

sub canonical_query {
    my @pairs = map { [ map { encode(decode($_)) } (split(/=/, $_, 2), '')[ 0, 1 ] ] } split /&/, $_[0];
    return join '&', map { "$_->[0]=$_->[1]" } sort { $a->[0] cmp $b->[0] || $a->[1] cmp $b->[1] } @pairs;
}

sub verdict {
    my ($bytes, $access_key, $secret, $region, $service, $token) = @_;
    my ($method, $target, $headers, $body) = parse($bytes) or return 'this is no request';
    for my $name (qw(authorization host x-amz-date)) {
        return "$name is not there once" unless @{ $headers->{$name} || [] } == 1;
    }
    my $date = $headers->{'x-amz-date'}[0];
    return 'X-Amz-Date is no time' unless $date =~ /\A(\d{8})T\d{6}Z\z/;
    my $scope = "$1/$region/$service/aws4_request";
    my ($credential, $names, $given) =
      $headers->{authorization}[0] =~
      /\AAWS4-HMAC-SHA256 Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]{64})\z/
      or return 'Authorization has not its three parts';
    return 'the scope is another' unless $credential eq "$access_key/$scope";

    my @signed = split /;/, $names;
    return 'signed headers are not sorted' unless $names eq join ';', sort @signed;
    my %is_signed = map { $_ => 1 } @signed;
    for my $name (grep { /\A(?:host|content-type|x-amz-.*)\z/ } keys %$headers) {
        return "$name is not signed" unless $is_signed{$name};
    }
    for my $name (@signed) {
        return "$name is signed, but not sent once" unless @{ $headers->{$name} || [] } == 1;
    }
    my $sent = join ',', @{ $headers->{'x-amz-security-token'} || [] };
    return 'the session token is not as it must be' unless $sent eq $token;
    my $length = $headers->{'content-length'};
    return 'Content-Length is another' if $length && $length->[0] != length $body;

    my ($path, $query) = split /\?/, $target, 2;
    my $canonical = join "\n", $method, canonical_path($path), canonical_query($query // ''),
      (map { "$_:$headers->{$_}[0]" } @signed), '', $names, sha256_hex($body);
    my $to_sign = join "\n", 'AWS4-HMAC-SHA256', $date, $scope, sha256_hex($canonical);
    my $key = "AWS4$secret";
    $key = hmac_sha256($_, $key) for split m{/}, $scope;
    return hmac_sha256_hex($to_sign, $key) eq $given ? 'right' : 'the signature is another';
}

binmode STDIN;
$| = 1;
while (defined(my $question = <STDIN>)) {
    chomp $question;
    my ($n, @keys) = split /\t/, $question, -1;
    my $bytes = '';
    read(STDIN, $bytes, $n) == $n or die "a question was cut\n";
    print verdict($bytes, @keys), "\n";
}
