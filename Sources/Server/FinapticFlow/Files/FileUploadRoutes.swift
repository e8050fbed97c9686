// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `PUT /finaptic/v1/uploads/<token>`: the picture itself. The address is all the proof that is needed.
package struct FileUploadRoutes: Sendable {
  let files: FileCommands
  let limits: NetworkLimits

  package func add(to root: RouterGroup<PublicContext>) {
    root.put(RouterPath("\(FinapticAPI.uploadsPath)/{token}"), use: upload)
  }

  @Sendable
  private func upload(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    let file: UploadedFile
    do { file = try await files.admit(token) } catch {
      if let address = context.clientAddress {
        try limits.rates.spend(limits.policy.refusals, by: ClientNetwork.of(address))
      }
      throw error
    }
    try RequestContent.requireLength(of: request, atMost: PictureFormat.bytesMax)
    let type = request.headers[.contentType]?.split(separator: ";").first.map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    guard let type, PictureFormat.mediaTypes.contains(type) else { throw Problem.unsupportedPicture }
    let content = try await RequestContent(request, limit: PictureFormat.bytesMax, from: token)
    try await files.take(content.bytes, into: file)
    return Response(status: .ok)
  }
}
