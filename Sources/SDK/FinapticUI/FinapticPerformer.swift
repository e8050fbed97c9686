// SPDX-License-Identifier: Apache-2.0

public import Finaptic
public import GatehouseUI

/// What the screens need of the device beside the SDK.
public struct FinapticPorts: Sendable {
  /// Keeps these transfers instead of those before, for all users of the device. What throws has kept nothing, and the
  /// transfer is not sent.
  public var keepTransfers: @Sendable ([KeptTransfer]) async throws -> Void
  /// The transfers that were kept; none at first. Throws when they cannot be read.
  public var keptTransfers: @Sendable () async throws -> [KeptTransfer]
  /// Of the customer, as the bank's people see it in a conversation.
  public var displayName: String

  /// Creates the value from its members.
  public init(
    keepTransfers: @escaping @Sendable ([KeptTransfer]) async throws -> Void,
    keptTransfers: @escaping @Sendable () async throws -> [KeptTransfer], displayName: String
  ) { (self.keepTransfers, self.keptTransfers, self.displayName) = (keepTransfers, keptTransfers, displayName) }
}

/// Carries out what the screens want done: each effect is a call of the SDK, each answer an event.
@MainActor
public final class FinapticPerformer {
  /// Hands an event to the driver.
  public typealias Send = ScreenDriver<FinapticScreens>.Send

  /// Entries of one page.
  private static let pageSize = 25
  /// Pages of accounts and cards that are asked for.
  private static let pagesMax = 20

  private let sdk: FinapticSDK
  private let ports: FinapticPorts
  private let randomness: ClientRandomness
  private let clock: ClientClock
  private var conversation: (any ChatClient)?

  /// - Parameter sdk: called back on the main queue, as it is unless the app chose another one.
  public init(
    _ sdk: FinapticSDK, ports: FinapticPorts, randomness: ClientRandomness = .live, clock: ClientClock = .live
  ) {
    (self.sdk, self.ports, self.randomness, self.clock) = (sdk, ports, randomness, clock)
  }

  /// Carries one effect out.
  public func perform(_ effect: FinapticEffect, _ send: @escaping Send) async {
    do throws(FinapticError) {
      switch effect {
      case .look, .signUp, .signIn, .resetPassword, .signOut: try await session(effect, send)
      case .transfer(let request): try await transfer(request, send)
      case .lookUp(let request): try await lookUp(request, send)
      case .openChat(let thread, let subject): try await follow(thread, subject, send)
      default: try await call(effect, send)
      }
    } catch {
      if error.code == .unauthenticated, !effect.isSigning { return send(.sessionOver) }
      if let event = effect.failure(error.code) { send(event) }
    }
  }

  private func session(_ effect: FinapticEffect, _ send: Send) async throws(FinapticError) {
    let client = sdk.authenticationClient
    switch effect {
    case .look: if await client.currentAuthState() == nil { return send(.signedOut) }
    case .signUp(let credential):
      try await client.signUp(request: .init(credential: credential))
      _ = try await client.signIn(request: .init(credential: credential))
    case .signIn(let credential, let code):
      _ = try await client.signIn(request: .init(credential: credential, mfaCode: code))
    case .resetPassword(let email):
      try await client.resetPassword(request: ResetRequest(email: email))
      return send(.sign(.resetSent))
    default:
      // It has ended here whatever the server says. What is kept is offered to its own user only.
      do throws(FinapticError) { try await client.signOut() } catch {}
      return send(.signedOut)
    }
    send(.signedIn)
    // What cannot be told now is told before the next transfer is sent.
    guard let kept = try? await ports.keptTransfers(), !kept.isEmpty, let owner = try? await owner() else { return }
    if let own = kept.first(where: { $0.owner == owner }) { send(.pending(own.request)) }
  }

  // MARK: Transfers

  /// Who is signed in, as kept transfers name a user.
  private func owner() async throws(FinapticError) -> String {
    KeptTransfer.owner(email: try await sdk.authenticationClient.getUserInfo().email)
  }

  private func transfer(_ request: InitiateTransferRequest, _ send: Send) async throws(FinapticError) {
    guard try await keep(request, send) else { return }
    let status: TransferStatus
    do throws(FinapticError) {
      status = try await sdk.coreTransferClient.initiateTransfer(request: request).details.status
    } catch {
      if TransferScreen.isUnknown(error.code) || error.code == .unauthenticated { throw error }
      // The refusal may be of a repetition only, also of the SDK's own: an earlier attempt may be booked.
      guard let booked = try await outcome(of: request) else {
        await forget(request)
        throw error
      }
      status = booked
    }
    await forget(request)
    send(.accounts(.transfer(.settled(status))))
  }

  private func lookUp(_ request: InitiateTransferRequest, _ send: Send) async throws(FinapticError) {
    guard let status = try await outcome(of: request) else {
      return send(.accounts(.transfer(.unsettled(.transferNotMade))))
    }
    await forget(request)
    send(.accounts(.transfer(.settled(status))))
  }

  /// Keeps a transfer before it is sent.
  /// - Returns: whether it may be sent; the screens were told why not.
  private func keep(_ request: InitiateTransferRequest, _ send: Send) async throws(FinapticError) -> Bool {
    let owner: String
    do throws(FinapticError) { owner = try await self.owner() } catch {
      if error.code == .unauthenticated { throw error }
      send(.accounts(.transfer(.notSent(FinapticText(error.code)))))
      return false
    }
    do {
      let (kept, now) = (try await ports.keptTransfers(), clock.wallTime())
      if let own = kept.first(where: { $0.owner == owner }) {
        if own.request.idempotencyKey == request.idempotencyKey { return true }
        // It could not be offered before; another one beside it might be the same money twice.
        send(.pending(own.request))
        return false
      }
      try await ports.keepTransfers(
        kept.filter { now - $0.keptAt < KeptTransfer.othersAgeMax } + [KeptTransfer(request, owner: owner, at: now)])
      return true
    } catch {
      send(.accounts(.transfer(.notSent(.transferNotKept))))
      return false
    }
  }

  /// What became of it is known. What cannot be forgotten is offered again, and the bank makes it once.
  private func forget(_ request: InitiateTransferRequest) async {
    guard let kept = try? await ports.keptTransfers() else { return }
    try? await ports.keepTransfers(kept.filter { $0.request.idempotencyKey != request.idempotencyKey })
  }

  /// What became of a transfer that may have been sent.
  /// - Returns: nil when nothing is booked under its key until now.
  /// - Throws: `unauthenticated`, or a code for which the transfer's outcome is unknown.
  private func outcome(of request: InitiateTransferRequest) async throws(FinapticError) -> TransferStatus? {
    guard let key = request.idempotencyKey else { throw FinapticError(code: .unknown, message: "It has no key.") }
    do throws(FinapticError) {
      return try await sdk.coreTransferClient.getTransferDetails(request: .init(idempotencyKey: key)).status
    } catch {
      if error.code == .transInvalidTransaction { return nil }
      if TransferScreen.isUnknown(error.code) || error.code == .unauthenticated { throw error }
      throw FinapticError(code: .unknown, message: error.message, cause: error)
    }
  }

  private func call(_ effect: FinapticEffect, _ send: @escaping Send) async throws(FinapticError) {
    switch effect {
    case .loadAccounts:
      let client = sdk.coreTransactionClient
      send(
        .accounts(
          .listed(
            try await pages { (token) async throws(FinapticError) in
              let page = try await client.listAccounts(request: .init(pageSize: Self.pageSize, pageToken: token))
              return (page.accounts, page.nextPageToken)
            })))
    case .loadTransactions(let account, let token):
      let page = try await sdk.personalFinanceManagementClient.getTransactions(
        request: .init(accountId: account, pageSize: Self.pageSize, pageToken: token, sortOrder: .descending))
      send(.accounts(.history(page.transactions, next: page.nextPageToken, isFirst: token == nil)))
    case .drawKey: send(.accounts(.transfer(.key(randomness.uuid()))))
    case .loadCards:
      let client = sdk.coreCardClient
      send(
        .cards(
          .listed(
            try await pages { (token) async throws(FinapticError) in
              let page = try await client.listCards(request: .init(pageSize: Self.pageSize, pageToken: token))
              return (page.cards, page.nextPageToken)
            })))
    case .lock(let card, let isLocked):
      let client = sdk.coreCardClient
      send(
        .cards(
          .changed(
            isLocked
              ? try await client.lockCard(request: .init(cardId: card)).card
              : try await client.unlockCard(request: .init(cardId: card)).card)))
    case .loadThreads: send(.chat(.listed(try await sdk.helpCenter.listChatThreads(request: .init()).items)))
    case .say(let text): say(text, send)
    default: break
    }
  }

  /// All pages of a list that is short.
  private func pages<Item: Sendable>(
    _ page: (_ token: String?) async throws(FinapticError) -> ([Item], next: String?)
  ) async throws(FinapticError) -> [Item] {
    var (items, token) = ([Item](), String?.none)
    for _ in 0..<Self.pagesMax {
      let (more, next) = try await page(token)
      items += more
      guard let next else { break }
      token = next
    }
    return items
  }

  // MARK: Conversations

  /// What a conversation tells, on its way to the screens.
  private enum ChatUpdate: Sendable {
    case said(ChatMessage)
    case connection(ChatConnectionStatus)
    case failed(FinapticErrorCode)
  }

  private func follow(_ thread: String?, _ subject: String, _ send: Send) async throws(FinapticError) {
    if let thread {
      send(.chat(.said(try await sdk.helpCenter.listChatHistory(request: .init(contactId: thread)).items)))
    }
    conversation = nil
    let (updates, continuation) = AsyncStream.makeStream(of: ChatUpdate.self)
    var subscriptions = Set<AnyCancellable>()
    let request = StartChatRequest(displayName: ports.displayName, subject: subject, contactCaseId: thread)
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      sdk.helpCenter.startChat(request: request) { outcome in
        switch outcome {
        case .success(let client): self.conversation = client
        case .failure(let error): continuation.yield(.failed(error.code))
        }
        done.resume()
      }
    }
    let client = conversation
    client?.receiveMessage().sink { continuation.yield(.said($0)) }.store(in: &subscriptions)
    client?.connectionStatus().sink { continuation.yield(.connection($0)) }.store(in: &subscriptions)
    if let client { send(.chat(.said(client.messages))) }
    for await update in updates {
      switch update {
      case .said(let message): send(.chat(.said([message])))
      case .connection(let status): send(.chat(.connection(status)))
      case .failed(let code): send(.chat(.failed(code)))
      }
    }
    // The screen was left: the contact ends, and the conversation stays with the bank.
    client?.stopContact { _ in }
    if conversation === client { conversation = nil }
  }

  private func say(_ text: String, _ send: @escaping Send) {
    guard let conversation else { return send(.chat(.notSaid(text))) }
    conversation.sendMessage(request: .init(messageContent: text)) { error in
      guard error != nil else { return }
      Task { @MainActor in send(.chat(.notSaid(text))) }
    }
  }
}

extension FinapticEffect {
  /// Whether the user is only about to be known.
  fileprivate var isSigning: Bool { lane == "session" }

  /// What a failure is to the part of the app that asked.
  fileprivate func failure(_ code: FinapticErrorCode) -> FinapticEvent? {
    if case .lookUp = self { return .accounts(.transfer(.unsettled(FinapticText(code)))) }
    return switch lane {
    case "session": .sign(.failed(code))
    case "accounts": .accounts(.failed(code))
    case "transfer": .accounts(.transfer(.failed(code)))
    case "cards": .cards(.failed(code))
    case "threads", "chat": .chat(.failed(code))
    default: nil
    }
  }
}
