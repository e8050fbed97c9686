// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite(
  "Salt Edge vectors: the folder",
  .enabled(if: SampleFolder.data("INDEX.json") != nil, "saltedge-samples is not there"))
struct IndexVectorTests {
  /// What has a suite here, by the beginning of its path.
  private static let tested = [
    "crypto/aes_256_cbc_vectors.json", "crypto/public_key_pem_vectors.json",
    "crypto/rsa_pkcs1v15_decrypt_vectors.json", "deeplinks.json", "keys/", "v1/encrypted_entities_java_peer.json",
    "v1/messages.json", "v1/signature_vectors.json", "v1/transcript_", "v2/authorizations.json",
    "v2/create_connection.json", "v2/jws_vectors.json", "v2/messages.json", "v2/provider_peer_transcript_",
  ]
  /// What says nothing about cryptography or links, and belongs to the suites of the app and the service.
  private static let elsewhere = ["localization_keys.json", "v1/push_service_request_", "repo-fixtures/"]

  @Test("every file of the index is there, and has a suite here or belongs elsewhere")
  func everyFile() throws {
    let files = try #require(SampleFolder.index, "INDEX.json has no member `files`")
    #expect(!files.isEmpty, "INDEX.json names no file")
    for path in files {
      #expect(SampleFolder.data(path) != nil, "\(path) is not there")
      #expect((Self.tested + Self.elsewhere).contains { path.hasPrefix($0) }, "\(path) has no suite")
    }
  }
}
