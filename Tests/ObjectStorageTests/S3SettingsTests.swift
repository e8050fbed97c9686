// SPDX-License-Identifier: Apache-2.0

import Kit
import Testing

@testable import ObjectStorage

@Suite("Object storage: the address of a bucket")
struct S3SettingsTests {
  @Test("without an endpoint it is Amazon's of the region, with the bucket in the host name")
  func amazon() throws {
    let settings = try S3Settings(url: "s3://my.bucket-1/images/prod/?region=eu-central-1")
    #expect(settings.scheme == "https" && settings.host == "my.bucket-1.s3.eu-central-1.amazonaws.com")
    #expect(settings.path("key") == "/images/prod/key" && settings.path(nil) == "/")
    #expect(settings.lockDays == nil)
    #expect(try S3Settings(url: "s3://bucket?lockDays=400").lockDays == 400)
    #expect(try S3Settings(url: "s3://bucket").host == "bucket.s3.us-east-1.amazonaws.com")
  }

  @Test("an endpoint of one's own is asked with the bucket in the path, by TLS when its URL is https")
  func endpoint() throws {
    let settings = try S3Settings(
      url: "s3://bucket/a?endpoint=http://127.0.0.1:9000&region=eu-central-1&addressing=path")
    #expect(settings.scheme == "http" && settings.host == "127.0.0.1:9000" && settings.region == "eu-central-1")
    #expect(settings.path("key") == "/bucket/a/key" && settings.path(nil) == "/bucket")
    #expect(try S3Settings(url: "s3://bucket?endpoint=https://S3.example.test:443/").host == "s3.example.test")
    #expect(try S3Settings(url: "s3://bucket?endpoint=http://[::1]:80").host == "[::1]")
    #expect(
      try S3Settings(url: "s3://bucket?endpoint=https://s3.example.test&addressing=virtual").host
        == "bucket.s3.example.test")
  }

  @Test(
    "what cannot be meant is refused, and not repeated",
    arguments: [
      "", "bucket", "http://bucket", "s3://", "s3://ab", "s3://Bucket", "s3://a..b", "s3://-ab", "s3://user:pw@bucket",
      "s3://bucket:9000", "s3://bucket/a/../b", "s3://bucket/a%20b", "s3://bucket/ü", "s3://bucket#f",
      "s3://bucket?endpoint=ftp://host", "s3://bucket?endpoint=http://", "s3://bucket?endpoint=http://user@host",
      "s3://bucket?endpoint=http://host/path", "s3://bucket?endpoint=http://host:99999", "s3://bucket?endpoint=",
      "s3://bucket?region=eu/1", "s3://bucket?region=a&region=b", "s3://bucket?secret=hidden",
      "s3://bucket?addressing=both", "s3://bucket?lockDays=0", "s3://bucket?lockDays=x",
      "s3://bucket?endpoint=http://ho%0d%0ast", "s3://bucket?endpoint=http://host:18446744073709560059",
      "s3://bucket?endpoint=https://0x7f.1",
    ])
  func malformed(url: String) {
    let error = #expect(throws: S3Settings.Malformed.self) { try S3Settings(url: url) }
    #expect(error?.description.contains("hidden") == false && error?.description.contains("user:pw") == false)
  }
}
