// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that only its owner can read, replaced as a whole: a reader sees the old content or the new, never a part,
/// and what `replace` returned from survives a power cut.
struct PrivateFile: Sendable {
  /// Largest content: secrets are small.
  static let bytesMax = 1024 * 1024

  let path: String

  /// - Returns: nil when there is no file.
  func read() throws(SecureStoreError) -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw SecureStoreError(.unavailable, status: errno)
    }
    defer { close(descriptor) }
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = Self.read(descriptor, into: &buffer)
      if count == 0 { return content }
      guard count > 0 else { throw SecureStoreError(.unavailable, status: errno) }
      content.append(contentsOf: buffer[..<count])
      guard content.count <= Self.bytesMax else { throw SecureStoreError(.tampered) }
    }
  }

  /// Whether group or others may read or write it.
  func isExposed() -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return false }
    return facts.st_mode & 0o077 != 0
  }

  /// - Parameter suffix: Makes the name of the file beside it that is written first; unique per writer.
  func replace(with content: Data, suffix: String) throws(SecureStoreError) {
    let draft = "\(path).\(suffix)"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SecureStoreError(.unavailable, status: errno) }
    do throws(SecureStoreError) {
      try Self.write([UInt8](content), to: descriptor)
      guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
        throw SecureStoreError(.unavailable, status: errno)
      }
    } catch {
      close(descriptor)
      unlink(draft)
      throw error
    }
    close(descriptor)
    try syncFolder()
  }

  func remove() throws(SecureStoreError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SecureStoreError(.unavailable, status: errno) }
  }

  /// The new name is durable only when the folder is.
  private func syncFolder() throws(SecureStoreError) {
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw SecureStoreError(.unavailable, status: errno) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw SecureStoreError(.unavailable, status: errno) }
  }

  private static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { bytes in
      #if canImport(Darwin)
        Darwin.read(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Glibc)
        Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      #else
        Musl.read(descriptor, bytes.baseAddress, bytes.count)
      #endif
    }
  }

  private static func write(_ content: [UInt8], to descriptor: Int32) throws(SecureStoreError) {
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
          Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
      guard count > 0 else { throw SecureStoreError(.unavailable, status: errno) }
      rest = rest.dropFirst(count)
    }
  }
}
