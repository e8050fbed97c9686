// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import HTTP
import Kit
import ServerTLS
import Testing
import TestSupport

@testable import GatehouseApp

@Suite("Settings: where the objects are", .storeless)
struct BlobSettingsTests {
  private static let credentials: [String: ConfigValue] = [
    "s3.accessKeyId": .init(.string("AKIDEXAMPLE"), isSecret: false),
    "s3.secretAccessKey": .init(.string("hidden"), isSecret: true),
  ]

  @Test("they are in a folder beside the database, in a folder of their own, or in a bucket")
  func stores() async throws {
    let folder = try TestFolder()
    let key = "0195a1b2-01"
    var settings = try await Self.load(["data": folder.path])
    try await settings.blobStore(world: .live).blobs.put(key, Data([1]))
    #expect(FileManager.default.fileExists(atPath: folder.file("blobs/01/\(key)")))
    settings = try await Self.load(["data": folder.path, "blobs.url": folder.file("own")])
    let own = try settings.blobStore(world: .live)
    try await own.blobs.put(key, Data([1]))
    #expect(own.service == nil && FileManager.default.fileExists(atPath: folder.file("own/01/\(key)")))
    settings = try await Self.load(["blobs.url": "s3://bucket/a?region=eu-central-1"], Self.credentials)
    #expect(try settings.blobStore(world: .live).service != nil)
  }

  @Test("a bucket without credentials, or with an address that cannot be meant, is refused with a sentence")
  func refused() async throws {
    for url in ["s3://bucket", "s3://b?secret=hidden", "gs://bucket", "https://bucket.example.test"] {
      let settings = try await Self.load(["blobs.url": url], url == "s3://bucket" ? [:] : Self.credentials)
      let error = #expect(throws: SettingsError.self) { try settings.blobStore(world: .live) }
      #expect(error?.description.contains("hidden") == false)
      // `config check` says the same before a start does.
      #expect(settings.startFaults.map(\.sentence) == [error?.description])
    }
    let anchored = try await Self.load(["audit.anchors": "gs://bucket"])
    #expect(anchored.startFaults.count == 1)
  }

  @Test("checkpoints of the audit log are nowhere, in a folder or in a bucket, which alone may lock its objects")
  func anchors() async throws {
    let folder = try TestFolder()
    let none = try await Self.load([:])
    #expect(try none.auditAnchor(world: .live)?.anchor.get == nil)
    let settings = try await Self.load(["audit.anchors": folder.file("anchors")])
    try await settings.auditAnchor(world: .live)?.anchor.put(1, Data([1]))
    #expect(FileManager.default.fileExists(atPath: folder.file("anchors/audit-checkpoint-000000000001")))
    let url = "s3://bucket/a?region=eu-central-1&lockDays=400"
    let bucket = try await Self.load(["audit.anchors": url], Self.credentials)
    #expect(try bucket.auditAnchor(world: .live)?.service != nil)
    let own: [String: ConfigValue] = [
      "audit.accessKeyId": .init(.string("AKIDANCHOR"), isSecret: false),
      "audit.secretAccessKey": .init(.string("hidden"), isSecret: true),
    ]
    #expect(try await Self.load(["audit.anchors": url], own).auditAnchor(world: .live)?.service != nil)
    // Images have to be erasable.
    let locked = try await Self.load(["blobs.url": url], Self.credentials)
    #expect(throws: SettingsError.self) { try locked.blobStore(world: .live) }
    for place in ["gs://bucket", "s3://bucket"] {
      let refused = try await Self.load(["audit.anchors": place])
      #expect(throws: SettingsError.self) { _ = try refused.auditAnchor(world: .live) }
    }
  }

  @Test(
    "checkpoints are not where the sweep of the blobs deletes what it does not know",
    arguments: [
      ("s3://bucket/a", "s3://bucket/a", true), ("s3://bucket/a/b", "s3://bucket/a", true),
      ("s3://bucket", "s3://bucket/a", true), ("s3://bucket/a?lockDays=9", "s3://bucket/a", true),
      ("s3://bucket/a", "s3://bucket/b", false), ("s3://bucket/a", "s3://other/a", false),
      ("s3://bucket/a?endpoint=https://x.example", "s3://bucket/a", false), ("/tmp/x/blobs", "/tmp/x/blobs", true),
      ("/tmp/x/blobs/../blobs/anchors", "/tmp/x/blobs", true), ("/tmp/x", "/tmp/x/blobs", true),
      ("/tmp/x/blobs2", "/tmp/x/blobs", false), ("/tmp/x/anchors", "s3://bucket", false),
    ])
  func shared(anchors: String, blobs: String, isRefused: Bool) async throws {
    let settings = try await Self.load(["audit.anchors": anchors, "blobs.url": blobs], Self.credentials)
    do {
      _ = try settings.auditAnchor(world: .live)
      #expect(!isRefused)
    } catch is SettingsError { #expect(isRefused) }
  }

  @Test("a bucket whose authorities are in a file that cannot be read is refused with a sentence")
  func authorities() async throws {
    let settings = try await Self.load(["blobs.url": "s3://bucket", "s3.ca": "/nowhere/ca.pem"], Self.credentials)
    let error = #expect(throws: SettingsError.self) { try settings.blobStore(world: .live) }
    #expect(error?.description.hasPrefix("s3.ca ") == true)
  }

  @Test("a program that links no store of buckets refuses one, and keeps nothing in a folder instead")
  func unlinked() async throws {
    var settings = try await Self.load(
      ["blobs.url": "s3://bucket/a", "audit.anchors": "s3://other/a"], Self.credentials)
    #expect(settings.startFaults.isEmpty)
    settings.links = ProgramLinks()
    for name in ["blobs.url", "audit.anchors"] {
      #expect(settings.startFaults.contains { $0.sentence.hasPrefix("\(name) names a bucket") }, "\(name)")
    }
    #expect(throws: SettingsError.self) { try settings.blobStore(world: .live) }
    #expect(throws: SettingsError.self) { try settings.auditAnchor(world: .live) }
  }

  private static func load(
    _ values: [String: String], _ more: [String: ConfigValue] = [:]
  ) async throws -> Settings {
    try await Settings.load(
      flags: values.mapValues { ConfigValue(.string($0), isSecret: false) }.merging(more) { $1 }, links: .all)
  }
}
