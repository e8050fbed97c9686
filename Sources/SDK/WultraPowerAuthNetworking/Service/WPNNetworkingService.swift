// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseTransport
public import PowerAuth2
internal import Locks

/// Posts requests that PowerAuth proves and encrypts (wultra-onboarding.md §1, §7.6).
public final class WPNNetworkingService: Sendable {
  private struct Choices: Sendable {
    var acceptLanguage: String
    var strategy = WPNRequestConcurrencyStrategy.serialSigned
    var delegate = WeakDelegate(delegate: nil)
    var encoder = WPNJSON.encoder()
    var decoder = WPNJSON.decoder()
  }

  private struct WeakDelegate: Sendable {
    weak let delegate: (any WPNResponseDelegate)?
  }

  public let powerAuth: PowerAuthSDK
  public let config: WPNConfig
  private let transport: HTTPTransport
  private let queues: CallQueues
  private let choices: Guarded<Choices>

  /// - Parameters:
  ///   - powerAuth: what proves and encrypts.
  ///   - config: where to.
  ///   - serviceName: what its queues are called.
  ///   - acceptLanguage: in which languages the server shall answer (RFC 9110 §12.5.4).
  public convenience init(
    powerAuth: PowerAuthSDK, config: WPNConfig, serviceName: String, acceptLanguage: String = "en"
  ) {
    self.init(
      powerAuth: powerAuth, config: config, serviceName: serviceName, acceptLanguage: acceptLanguage,
      transport: .live(trusting: config.sslValidation.trust))
  }

  /// On a network of the app's choice, which then decides which servers it trusts.
  public init(
    powerAuth: PowerAuthSDK, config: WPNConfig, serviceName: String, acceptLanguage: String = "en",
    transport: HTTPTransport
  ) {
    self.powerAuth = powerAuth
    self.config = config
    self.transport = transport
    queues = CallQueues(name: serviceName)
    choices = Guarded(Choices(acceptLanguage: acceptLanguage))
  }

  /// In which languages the server shall answer; counts for requests to come.
  public var acceptLanguage: String {
    get { choices.withLock { $0.acceptLanguage } }
    set { choices.withLock { $0.acceptLanguage = newValue } }
  }

  /// Which requests wait for each other; counts for requests to come.
  public var concurencyStrategy: WPNRequestConcurrencyStrategy {
    get { choices.withLock { $0.strategy } }
    set { choices.withLock { $0.strategy = newValue } }
  }

  /// `concurencyStrategy`, as networking 1.4 spells it.
  public var concurrencyStrategy: WPNRequestConcurrencyStrategy {
    get { concurencyStrategy }
    set { concurencyStrategy = newValue }
  }

  /// Writes the bodies of requests to come: dates as ISO 8601 unless the app sets another one. It must not be changed
  /// once it is set.
  public var jsonEncoder: JSONEncoder {
    get { choices.withLock { $0.encoder } }
    set { choices.withLock { $0.encoder = newValue } }
  }

  /// Reads the answers of requests to come: dates as ISO 8601 unless the app sets another one. It must not be changed
  /// once it is set.
  public var jsonDecoder: JSONDecoder {
    get { choices.withLock { $0.decoder } }
    set { choices.withLock { $0.decoder = newValue } }
  }

  /// Who sees the answers. Not kept alive.
  public var responseDelegate: (any WPNResponseDelegate)? {
    get { choices.withLock { $0.delegate.delegate } }
    set { choices.withLock { $0.delegate = WeakDelegate(delegate: newValue) } }
  }

  /// Lines a call up.
  /// - Parameter report: called once, on any thread.
  func line(_ call: Call, report: @escaping @Sendable (CallOperation.Outcome) -> Void) -> CallOperation {
    let strategy = concurencyStrategy
    let takesTurn = call.isSigned && strategy != .concurentAll
    let operation = CallOperation(
      { await self.outcome(of: call, takesTurn: takesTurn) }, report: report)
    queues.add(operation, isSigned: call.isSigned, strategy: strategy)
    return operation
  }

  var sender: CallSender {
    CallSender(
      powerAuth: powerAuth, config: config, transport: transport, acceptLanguage: acceptLanguage,
      delegate: responseDelegate)
  }

  private func outcome(of call: Call, takesTurn: Bool) async -> CallOperation.Outcome {
    let sender = sender
    do throws(WPNError) {
      guard takesTurn else { return .success(try await sender.send(call)) }
      return .success(
        try await powerAuth.aloneAmongSigned { () async throws(WPNError) in try await sender.send(call) })
    } catch {
      WPNLogger.log(error)
      return .failure(error)
    }
  }
}
