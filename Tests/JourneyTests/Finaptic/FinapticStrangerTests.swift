// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import GatehouseWire
import Kit
import Testing

/// What one customer's token gets of another one's: the listed code, the same as for what is not there (finaptic §10.9).
@Suite("Finaptic tokens: another customer's")
struct FinapticStrangerTests {
  private static let unknown = "00000000-0000-4000-8000-000000000000"

  private func expect(_ code: FinapticErrorCode, _ call: () async throws -> Void, line: Int = #line) async {
    do {
      try await call()
      Issue.record("line \(line): it was done")
    } catch { #expect((error as? FinapticError)?.code == code, "line \(line): \(error)") }
  }

  /// Starts or resumes a conversation, says something and leaves it.
  private static func chat(_ sdk: FinapticSDK, _ thread: String? = nil) async throws {
    let request = StartChatRequest(displayName: "Somebody", subject: "Fees", contactCaseId: thread)
    let outcome: Result<Void, FinapticError> = await withCheckedContinuation { done in
      sdk.helpCenter.startChat(request: request) { outcome in
        switch outcome {
        case .success(let chat):
          chat.sendMessage(request: SendMessageRequest(messageContent: "Hello")) { _ in
            chat.stopContact { _ in done.resume(returning: .success(())) }
          }
        case .failure(let error): done.resume(returning: .failure(error))
        }
      }
    }
    try outcome.get()
  }

  @Test("accounts and what was booked on them")
  func accounts() async throws {
    try await FinapticTestApp.run { app in
      let (ada, customer, theirs) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let (bob, _, own) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      let booked = try await app.simulation().deposit(
        .init(accountId: theirs, amount: .init(amount: "5.00", currency: "CAD")), key: Self.unknown)
      let seen = try await ada.coreTransactionClient.getAccount(request: GetAccountRequest(accountId: theirs))
      #expect(seen.id == theirs)
      for id in [theirs, Self.unknown] {
        await expect(.notFound) {
          _ = try await bob.coreTransactionClient.getAccount(request: GetAccountRequest(accountId: id))
        }
        await expect(.notFound) {
          _ = try await bob.coreBankingClient.getAccountDetails(request: GetAccountDetailsRequest(accountId: id))
        }
        await expect(.notFound) {
          _ = try await bob.coreTransactionClient.listOwners(request: ListOwnersRequest(accountId: id))
        }
        await expect(.notFound) {
          _ = try await bob.coreTransactionClient.listAuthorizedUsers(
            request: ListAuthorizedUsersRequest(accountId: id))
        }
        await expect(.notFound) {
          _ = try await bob.coreTransactionClient.listTransactions(
            request: ListTransactionsRequest(accountId: id, pageSize: 1))
        }
        await expect(.notFound) {
          _ = try await bob.personalFinanceManagementClient.getTransactions(
            request: GetTransactionsRequest(accountId: id, pageSize: 1, sortOrder: .descending))
        }
        await expect(.permissionDenied) {
          _ = try await bob.coreTransferClient.initiateTransfer(
            request: InitiateTransferRequest(
              sourceAccountId: id, destinationAccountId: own, fundTransfer: Amount(amount: 1, currency: "CAD")))
        }
        await expect(.permissionDenied) {
          _ = try await bob.onboardingClient.inviteAuthorizedUser(
            request: InviteAuthorizedUserRequest(invitedCustomerIdentifier: "ada@example.ca", accountId: id))
        }
        await expect(.transInteracInvalidAccount) {
          _ = try await bob.interacClient.listAutodepositRegistrations(
            request: ListAutodepositRegistrationsRequest(accountId: id))
        }
      }
      for id in [booked.transactionId, Self.unknown] {
        await expect(.transInvalidTransaction) {
          _ = try await bob.coreTransferClient.getTransferDetails(request: GetTransferDetailsRequest(transactionId: id))
        }
        await expect(.notFound) {
          _ = try await bob.personalFinanceManagementClient.getTransaction(
            request: GetTransactionRequest(transactionId: id))
        }
      }
      let mine = try await bob.coreTransactionClient.listAccounts(request: ListAccountsRequest(pageSize: 10)).accounts
      #expect(mine.map(\.id) == [own] && !mine.contains { $0.owners.contains(customer) })
    }
  }

  @Test("cards, conversations and applications")
  func others() async throws {
    try await FinapticTestApp.run { app in
      let (ada, _, account) = try await FinapticApplicant.customer(
        in: app, email: "ada@example.ca", bundle: "prepaidV1")
      let (bob, customer, _) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      let cards = try await ada.coreCardClient.listCards(request: ListCardsRequest(pageSize: 1)).cards
      let card = try #require(cards.first?.id)
      for id in [card, Self.unknown] {
        await expect(.notFound) { _ = try await bob.coreCardClient.getCard(request: GetCardRequest(cardId: id)) }
        await expect(.notFound) {
          _ = try await bob.coreCardClient.createCardSDKSignOnToken(
            request: CreateCardSDKSignOnTokenRequest(cardId: id))
        }
        await expect(.cardsInvalidCardId) {
          _ = try await bob.coreCardClient.lockCard(request: LockCardRequest(cardId: id))
        }
        await expect(.cardsInvalidCardId) {
          _ = try await bob.coreCardClient.unlockCard(request: UnlockCardRequest(cardId: id))
        }
      }
      for id in [account, Self.unknown] {
        await expect(.cardsInvalidAccount) {
          _ = try await bob.coreCardClient.createAuthorizedUserCard(
            request: CreateAuthorizedUserCardRequest(
              card: AuthorizedUserCard(cardType: .cardTypePrepaid, accountId: id), authorizedUserId: customer))
        }
      }
      try await Self.chat(ada)
      let threads = try await ada.helpCenter.listChatThreads(request: ListChatThreadsRequest()).items
      let thread = try #require(threads.first?.id)
      for id in [thread, Self.unknown] {
        await expect(.notFound) {
          try await Self.chat(bob, id)
        }
        await expect(.notFound) {
          _ = try await bob.helpCenter.listChatHistory(request: ListChatHistoryRequest(contactId: id))
        }
      }
      // An application that was begun signed in is that user's; a caller without a user is refused, too.
      let application = try await ada.onboardingClient.initiateApplication(
        request: InitiateApplicationRequest(bundleId: "kycV1")
      ).basicDetails.applicationId
      for stranger in [bob, try await app.phone()] {
        await expect(.permissionDenied) {
          _ = try await stranger.onboardingClient.getApplicationStatus(
            request: GetApplicationStatusRequest(applicationId: application))
        }
        await expect(.permissionDenied) {
          _ = try await stranger.onboardingClient.createFileUploadURL(
            request: CreateFileUploadUrlRequest(onboardingApplicationId: application))
        }
        await expect(.permissionDenied) {
          _ = try await stranger.onboardingClient.acceptApplication(
            request: AcceptApplicationRequest(onboardingApplicationId: application))
        }
      }
    }
  }
}
