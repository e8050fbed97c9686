// SPDX-License-Identifier: Apache-2.0

extension HTTPTransport {
  /// This transport, asking again when it is safe and worth it.
  ///
  /// 1. Only repeatable requests are repeated (`TransportRequest.isRepeatable`), byte for byte.
  /// 2. A failure on the way is repeated when it is transient, an answer when its status is one of the policy's or
  ///    `alsoRetrying` allows it.
  /// 3. `Retry-After` is honoured; one that is too long hands the answer to the caller.
  /// 4. After `attemptsMax` the last answer or failure stands.
  /// 5. Answers that go on are asked for once: a caller that follows one knows how to come back.
  public func retrying(
    _ policy: RetryPolicy,
    clock: ClientClock,
    randomness: ClientRandomness,
    alsoRetrying isBusy: @escaping @Sendable (TransportResponse) -> Bool = { _ in false }
  ) -> HTTPTransport {
    let send: Send = { (request, progress) async throws(TransportError) in
      var attempt = 0
      while true {
        attempt += 1
        let outcome: Result<TransportResponse, TransportError>
        do throws(TransportError) {
          outcome = .success(try await self.send(request, progress: progress))
        } catch {
          outcome = .failure(error)
        }

        guard request.isRepeatable, isWorthRepeating(outcome, policy, isBusy),
          let delay = policy.delay(
            after: attempt, retryAfter: (try? outcome.get())?.retryAfter, unit: randomness.unit())
        else { return try outcome.get() }
        do { try await clock.pause(for: delay) } catch { throw TransportError(.cancelled) }
      }
    }
    return HTTPTransport(send: send, open: openOnce)
  }
}

private func isWorthRepeating(
  _ outcome: Result<TransportResponse, TransportError>,
  _ policy: RetryPolicy,
  _ isBusy: (TransportResponse) -> Bool
) -> Bool {
  switch outcome {
  case .success(let response): policy.statuses.contains(response.status) || isBusy(response)
  case .failure(let error): error.isTransient
  }
}
