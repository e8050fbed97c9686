// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import SaltEdgeAuthenticator

/// One call of the published surface: made when it is asked for, sent and signed by the client, and told either to
/// closures or to the task that waits.
package struct PublishedCall<Answer: Sendable>: Sendable {
  private let work: @Sendable (ServiceHTTPClient) async throws(AuthenticatorError) -> Answer
  private let client = SEAuthenticatorPlatform.current.client

  package init(_ work: @escaping @Sendable (ServiceHTTPClient) async throws(AuthenticatorError) -> Answer) {
    self.work = work
  }

  /// - Parameters:
  ///   - read: makes the published answer of the wire's.
  ///   - needsPresence: whether the user has to prove themselves first.
  ///   - make: fails when nothing is to be sent.
  package init<Wire>(
    _ read: @escaping @Sendable (Wire) throws(AuthenticatorError) -> Answer, needsPresence: Bool = false,
    _ make: () throws(AuthenticatorError) -> ServiceCall<Wire>
  ) {
    let made: Result<ServiceCall<Wire>, AuthenticatorError>
    do throws(AuthenticatorError) { made = .success(try make()) } catch { made = .failure(error) }
    let platform = SEAuthenticatorPlatform.current
    self.init { (client) async throws(AuthenticatorError) in
      let call = try made.get()
      guard needsPresence, let permit = try await platform.presence() else { return try read(await client.send(call)) }
      defer { permit.end() }
      return try read(await client.send(call.signed(by: permit)))
    }
  }

  package func answer() async throws(AuthenticatorError) -> Answer { try await work(client) }

  /// Calls one of the closures, once, on the queue.
  /// - Parameter onFailure: gets the error class (saltedge-authenticator §6).
  package func report(
    on queue: DispatchQueue, _ onSuccess: (@Sendable (Answer) -> Void)?, _ onFailure: @escaping FailureBlock
  ) {
    // The one place where a callback's work begins: published calls return at once.
    Task {
      do throws(AuthenticatorError) {
        let answer = try await answer()
        queue.async { onSuccess?(answer) }
      } catch {
        queue.async { onFailure(error.errorClass.rawValue) }
      }
    }
  }
}

extension AuthenticatorError {
  /// What came can be read, but not used.
  package static var unusableAnswer: AuthenticatorError {
    AuthenticatorError(.unreadable(status: 200), .apiResponse, message: "Invalid response")
  }
}
