// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import Foundation

/// The way into a bank's onboarding, accounts, cards and transfers. Initialise it once and keep the instance.
public final class FinapticSDK: Sendable {
  /// The application of one customer, and the authorized users of accounts.
  public let onboardingClient: any OnboardingClient
  /// Codes and their texts.
  public let referenceDataClient: any ReferenceDataClient
  /// Addresses as they are typed.
  public let addressClient: any AddressClient
  /// The user.
  public let authenticationClient: any AuthenticationClient
  /// Accounts as the core sees them.
  public let coreBankingClient: any CoreBankingClient
  /// Cards.
  public let coreCardClient: any CoreCardClient
  /// Conversations with customer service.
  public let helpCenter: any HelpCenter
  /// Pushes.
  public let distributionClient: any DistributionClient
  /// Interac autodeposit and incoming transfers.
  public let interacClient: any InteracClient
  /// Accounts and their ledger.
  public let coreTransactionClient: any CoreTransactionClient
  /// Transfers.
  public let coreTransferClient: any CoreTransferClient
  /// What was spent and received.
  public let personalFinanceManagementClient: any PersonalFinanceManagementClient
  /// Statements of accounts. ⊕
  public let statementClient: any StatementClient

  private static let instances = FinapticInstances()

  /// The only entry point.
  ///
  /// Checks the key and downloads what the app needs before its first call. After a success every further call gives
  /// the first instance, whatever its key.
  /// - Parameters:
  ///   - sdkKey: As the bank gave it: base64 of a JSON document.
  ///   - completion: `invalidArgument` for an invalid key, `unauthenticated` for one that the server does not know,
  ///     `unavailable` and `deadlineExceeded` for the network.
  public static func initialize(sdkKey: String, completion: @escaping FinapticCompletion<FinapticSDK>) {
    initialize(sdkKey: sdkKey, options: FinapticOptions(), completion: completion)
  }

  /// The same with choices.
  public static func initialize(
    sdkKey: String, options: FinapticOptions, completion: @escaping FinapticCompletion<FinapticSDK>
  ) {
    instances.initialize(sdkKey: sdkKey, options: options, completion: completion)
  }

  /// The same for code that awaits.
  public static func initialize(
    sdkKey: String, options: FinapticOptions = FinapticOptions()
  ) async throws(FinapticError) -> FinapticSDK {
    try await withCheckedContinuation { done in
      initialize(sdkKey: sdkKey, options: options) { done.resume(returning: $0) }
    }.get()
  }

  /// An instance beside the one that apps have: for several devices in one process, as tests play them.
  package static func make(sdkKey: String, options: FinapticOptions) async throws(FinapticError) -> FinapticSDK {
    let key: FinapticSDKKey
    do throws(FinapticSDKKey.Fault) { key = try FinapticSDKKey(sdkKey) } catch {
      throw FinapticError(code: .invalidArgument, message: error.explanation, cause: error)
    }
    let http = FinapticHTTPClient(
      key: key, transport: options.transport(for: key), clock: options.clock, randomness: options.randomness,
      logHandler: options.log ?? { FinapticLog.handler($0) })
    let consents = try ConsentDocuments(try await http.configuration())
    return FinapticSDK(
      FinapticCalls(
        http: http, session: FinapticSession(http: http, store: options.store(for: key)), queue: options.queue,
        timeZone: options.timeZone), consents)
  }

  private init(_ calls: FinapticCalls, _ consents: ConsentDocuments) {
    onboardingClient = LiveOnboardingClient(calls: calls, consents: consents)
    referenceDataClient = LiveReferenceDataClient(calls: calls)
    addressClient = LiveAddressClient(calls: calls)
    authenticationClient = LiveAuthenticationClient(calls: calls)
    coreBankingClient = LiveCoreBankingClient(calls: calls)
    coreCardClient = LiveCoreCardClient(calls: calls)
    helpCenter = LiveHelpCenter(calls: calls)
    distributionClient = LiveDistributionClient(calls: calls)
    interacClient = LiveInteracClient(calls: calls)
    coreTransactionClient = LiveCoreTransactionClient(calls: calls)
    coreTransferClient = LiveCoreTransferClient(calls: calls)
    personalFinanceManagementClient = LivePersonalFinanceManagementClient(calls: calls)
    statementClient = LiveStatementClient(calls: calls)
  }
}

extension FinapticSDKKey.Fault {
  /// What to tell the developer.
  fileprivate var explanation: String {
    switch self {
    case .empty: "The SDK key is empty."
    case .notBase64: "The SDK key is not base64: was a part of it lost?"
    case .notJSON: "The SDK key does not hold a JSON object: was a part of it lost?"
    case .incomplete: "The SDK key lacks a member, or is of a version that this SDK does not know."
    case .address: "The SDK key names an invalid address, or one without TLS on another host."
    case .pin: "The SDK key holds an invalid certificate pin."
    }
  }
}
