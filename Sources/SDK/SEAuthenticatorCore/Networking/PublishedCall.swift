package import Foundation
package import SaltEdgeAuthenticator

/// One call of the published surface: made when it is asked for, sent and signed by the line, and told either to
/// closures or to whoever waits.
package struct PublishedCall<Answer: Sendable>: Sendable {
  private let work: @Sendable (ServiceLine) async throws(AuthenticatorError) -> Answer
  private let line = SEAuthenticatorPlatform.current.line

  package init(_ work: @escaping @Sendable (ServiceLine) async throws(AuthenticatorError) -> Answer) {
    self.work = work
  }

  /// - Parameters:
  ///   - read: makes the published answer of the wire's.
  ///   - needsPresence: whether the user has to prove themselves first, where the platform can ask them.
  ///   - make: fails when nothing is to be sent.
  package init<Wire>(
    _ read: @escaping @Sendable (Wire) throws(AuthenticatorError) -> Answer, needsPresence: Bool = false,
    _ make: () throws(AuthenticatorError) -> ServiceCall<Wire>
  ) {
    let made: Result<ServiceCall<Wire>, AuthenticatorError>
    do throws(AuthenticatorError) { made = .success(try make()) } catch { made = .failure(error) }
    let presence = needsPresence ? SEAuthenticatorPlatform.current.userPresence : nil
    self.init { (line) async throws(AuthenticatorError) in
      let call = try made.get()
      if let presence, await !presence() { throw AuthenticatorError(.outOfOrder, .userPresenceMissing) }
      return try read(await line.send(call))
    }
  }

  package func answer() async throws(AuthenticatorError) -> Answer { try await work(line) }

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
