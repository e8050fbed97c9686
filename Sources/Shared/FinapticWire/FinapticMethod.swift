// SPDX-License-Identifier: Apache-2.0

/// The methods of Finaptic's wire. The four `getConsent…` are answered from the configuration and `currentAuthState` on
/// the device, so they have none; the chat's `receive…` follow a stream.
public struct FinapticMethod: Sendable, Hashable {
  /// What a method does to the server's state.
  public enum Kind: Sendable {
    /// Nothing: no idempotency key.
    case read
    /// Something: takes an idempotency key.
    case change
    /// Something that waits for a decision, which may take a minute and a half.
    case decide
  }

  /// The SDK's property without `Client`.
  public let client: String
  /// The SDK's name of the method.
  public let name: String
  /// What the method does to the server's state.
  public let kind: Kind

  /// `/finaptic/v1/<client>/<method>`.
  public var path: String { "\(FinapticAPI.basePath)/\(client)/\(name)" }

  private init(_ client: String, _ name: String, _ kind: Kind) {
    (self.client, self.name, self.kind) = (client, name, kind)
  }
}

extension FinapticMethod {
  // MARK: onboarding

  public static let initiateApplication = FinapticMethod("onboarding", "initiateApplication", .change)
  public static let updatePersonalDetails = FinapticMethod("onboarding", "updatePersonalDetails", .change)
  public static let updateContactDetails = FinapticMethod("onboarding", "updateContactDetails", .change)
  public static let updateAccountDetails = FinapticMethod("onboarding", "updateAccountDetails", .change)
  public static let updateAddresses = FinapticMethod("onboarding", "updateAddresses", .change)
  public static let updateConsents = FinapticMethod("onboarding", "updateConsents", .change)
  public static let updateCustomerResidency = FinapticMethod("onboarding", "updateCustomerResidency", .change)
  public static let updateDisclosures = FinapticMethod("onboarding", "updateDisclosures", .change)
  public static let updateEmployment = FinapticMethod("onboarding", "updateEmployment", .change)
  public static let updateCommunicationPreferences = FinapticMethod(
    "onboarding", "updateCommunicationPreferences", .change)
  public static let createFileUploadURL = FinapticMethod("onboarding", "createFileUploadURL", .change)
  public static let validateDocuments = FinapticMethod("onboarding", "validateDocuments", .decide)
  public static let validateSelfie = FinapticMethod("onboarding", "validateSelfie", .decide)
  public static let validateApplication = FinapticMethod("onboarding", "validateApplication", .decide)
  public static let acceptApplication = FinapticMethod("onboarding", "acceptApplication", .decide)
  public static let finalizeApplicationCreateCustomer = FinapticMethod(
    "onboarding", "finalizeApplicationCreateCustomer", .decide)
  public static let finalizeApplicationCreateProduct = FinapticMethod(
    "onboarding", "finalizeApplicationCreateProduct", .decide)
  public static let cancelApplication = FinapticMethod("onboarding", "cancelApplication", .change)
  public static let getApplicationStatus = FinapticMethod("onboarding", "getApplicationStatus", .read)
  public static let inviteAuthorizedUser = FinapticMethod("onboarding", "inviteAuthorizedUser", .change)
  public static let acceptAuthorizedUserInvitation = FinapticMethod(
    "onboarding", "acceptAuthorizedUserInvitation", .change)
  public static let declineAuthorizedUserInvitation = FinapticMethod(
    "onboarding", "declineAuthorizedUserInvitation", .change)
  public static let confirmAuthorizedUserInvitation = FinapticMethod(
    "onboarding", "confirmAuthorizedUserInvitation", .change)
  public static let removeAuthorizedUser = FinapticMethod("onboarding", "removeAuthorizedUser", .change)
  public static let getInvitations = FinapticMethod("onboarding", "getInvitations", .read)
}

extension FinapticMethod {
  // MARK: referenceData

  public static let getReferenceDataByType = FinapticMethod("referenceData", "getReferenceDataByType", .read)
}

extension FinapticMethod {
  // MARK: address

  public static let getSuggestions = FinapticMethod("address", "getSuggestions", .read)
}

extension FinapticMethod {
  // MARK: authentication

  public static let signUp = FinapticMethod("authentication", "signUp", .change)
  public static let signIn = FinapticMethod("authentication", "signIn", .change)
  public static let refreshAuthState = FinapticMethod("authentication", "refreshAuthState", .change)
  public static let signOut = FinapticMethod("authentication", "signOut", .change)
  public static let resetPassword = FinapticMethod("authentication", "resetPassword", .change)
  public static let getUserInfo = FinapticMethod("authentication", "getUserInfo", .read)
}

extension FinapticMethod {
  // MARK: coreBanking

  public static let getAccountDetails = FinapticMethod("coreBanking", "getAccountDetails", .read)
}

extension FinapticMethod {
  // MARK: coreCard

  public static let getCard = FinapticMethod("coreCard", "getCard", .read)
  public static let listCards = FinapticMethod("coreCard", "listCards", .read)
  public static let createCardSDKSignOnToken = FinapticMethod("coreCard", "createCardSDKSignOnToken", .change)
  public static let createAuthorizedUserCard = FinapticMethod("coreCard", "createAuthorizedUserCard", .change)
  public static let lockCard = FinapticMethod("coreCard", "lockCard", .change)
  public static let unlockCard = FinapticMethod("coreCard", "unlockCard", .change)
}

extension FinapticMethod {
  // MARK: helpCenter

  public static let startChat = FinapticMethod("helpCenter", "startChat", .change)
  public static let listChatThreads = FinapticMethod("helpCenter", "listChatThreads", .read)
  public static let listChatHistory = FinapticMethod("helpCenter", "listChatHistory", .read)
  public static let sendMessage = FinapticMethod("helpCenter", "sendMessage", .change)
  public static let stopContact = FinapticMethod("helpCenter", "stopContact", .change)
  /// One of ours.
  public static let sendTyping = FinapticMethod("helpCenter", "sendTyping", .change)
}

extension FinapticMethod {
  // MARK: distribution

  public static let registerChannel = FinapticMethod("distribution", "registerChannel", .change)
}

extension FinapticMethod {
  // MARK: interac

  public static let createRegistration = FinapticMethod("interac", "createRegistration", .change)
  public static let listAutodepositRegistrations = FinapticMethod("interac", "listAutodepositRegistrations", .read)
  public static let updateRegistration = FinapticMethod("interac", "updateRegistration", .change)
  public static let deleteRegistration = FinapticMethod("interac", "deleteRegistration", .change)
  public static let authenticateIncomingTransfer = FinapticMethod("interac", "authenticateIncomingTransfer", .change)
  public static let completeIncomingTransfer = FinapticMethod("interac", "completeIncomingTransfer", .change)
  public static let declineIncomingTransfer = FinapticMethod("interac", "declineIncomingTransfer", .change)
}

extension FinapticMethod {
  // MARK: coreTransaction

  public static let listAccounts = FinapticMethod("coreTransaction", "listAccounts", .read)
  public static let getAccount = FinapticMethod("coreTransaction", "getAccount", .read)
  public static let listAuthorizedUsers = FinapticMethod("coreTransaction", "listAuthorizedUsers", .read)
  public static let listOwners = FinapticMethod("coreTransaction", "listOwners", .read)
  public static let listTransactions = FinapticMethod("coreTransaction", "listTransactions", .read)
}

extension FinapticMethod {
  // MARK: coreTransfer

  public static let getTransferDetails = FinapticMethod("coreTransfer", "getTransferDetails", .read)
  public static let initiateTransfer = FinapticMethod("coreTransfer", "initiateTransfer", .change)
  public static let listTargetAccounts = FinapticMethod("coreTransfer", "listTargetAccounts", .read)
  public static let getIncomingTransferDetails = FinapticMethod("coreTransfer", "getIncomingTransferDetails", .read)
}

extension FinapticMethod {
  // MARK: personalFinanceManagement

  public static let getTransactions = FinapticMethod("personalFinanceManagement", "getTransactions", .read)
  public static let getTransaction = FinapticMethod("personalFinanceManagement", "getTransaction", .read)
}

extension FinapticMethod {
  // MARK: statement

  /// One of ours.
  public static let listStatements = FinapticMethod("statement", "listStatements", .read)
  /// One of ours.
  public static let getStatement = FinapticMethod("statement", "getStatement", .read)
}

extension FinapticMethod {
  /// Every method, in the order of the specification.
  public static let all: [FinapticMethod] = [
    .initiateApplication, .updatePersonalDetails, .updateContactDetails, .updateAccountDetails, .updateAddresses,
    .updateConsents, .updateCustomerResidency, .updateDisclosures, .updateEmployment, .updateCommunicationPreferences,
    .createFileUploadURL, .validateDocuments, .validateSelfie, .validateApplication, .acceptApplication,
    .finalizeApplicationCreateCustomer, .finalizeApplicationCreateProduct, .cancelApplication, .getApplicationStatus,
    .inviteAuthorizedUser, .acceptAuthorizedUserInvitation, .declineAuthorizedUserInvitation,
    .confirmAuthorizedUserInvitation, .removeAuthorizedUser, .getInvitations, .getReferenceDataByType,
    .getSuggestions, .signUp, .signIn, .refreshAuthState, .signOut, .resetPassword, .getUserInfo, .getAccountDetails,
    .getCard, .listCards, .createCardSDKSignOnToken, .createAuthorizedUserCard, .lockCard, .unlockCard, .startChat,
    .listChatThreads, .listChatHistory, .sendMessage, .stopContact, .registerChannel, .createRegistration,
    .listAutodepositRegistrations, .updateRegistration, .deleteRegistration, .authenticateIncomingTransfer,
    .completeIncomingTransfer, .declineIncomingTransfer, .listAccounts, .getAccount, .listAuthorizedUsers,
    .listOwners, .listTransactions, .getTransferDetails, .initiateTransfer, .listTargetAccounts,
    .getIncomingTransferDetails, .getTransactions, .getTransaction,
  ]
}
