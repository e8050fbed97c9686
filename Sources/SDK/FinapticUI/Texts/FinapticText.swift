// SPDX-License-Identifier: Apache-2.0

internal import Finaptic
public import GatehouseUI

/// The names of what the screens of a bank's customer show.
public enum FinapticText: String, ScreenText {
  // MARK: Everywhere
  case appTitle, loading, actionContinue, actionBack, actionDone, actionReload, actionMore, actionCopy, copied, chosen

  // MARK: Signing in
  case signInTitle, signUpTitle, email, password, signIn, signUp, toSignUp, toSignIn, signOut, factorTitle,
    factorText, factorCode, forgotPassword, resetTitle, resetText, resetSend, resetSent

  // MARK: Accounts and transfers
  case tabAccounts, tabCards, tabChat, accountsNone, balance, available, transactions, transactionsNone,
    transferTitle, transferFrom, transferTo, transferNoTarget, amount, transferSend, transferUnknown, transferRepeat,
    transferOnce, transferLookUp, transferNotMade, transferNotKept, transferCompleted, transferDeclined,
    transferPending

  // MARK: Numbers of accounts
  case iban, transit, institution, accountNumber, receiveTitle, receiveText, receiveTo

  // MARK: Cards
  case cardsNone, card, cardState, cardActive, cardLocked, cardUnknown, cardLock, cardLockText

  // MARK: Conversations
  case chatNone, chatNew, chatSubject, chatBegin, chatDraft, chatSend, chatYou, chatSystem, chatWaits, chatAnswered,
    chatResolved, chatConnecting, chatConnected, chatEnded, chatNotSaid

  // MARK: Failures
  case failureOther, failureOffline, failureSession, failurePassword, failureCredential, failureAddress, failureTaken,
    failureFactor, failureBlocked, failureTooOften, failureNotAllowed, failureNotNow

  /// English, French and Arabic.
  public static let tables: [ScreenLanguage: [FinapticText: String]] = [
    .english: english, .french: french, .arabic: arabic,
  ]

  /// Why a call failed (finaptic §9).
  init(_ code: FinapticErrorCode) {
    self =
      switch code {
      case .unavailable, .deadlineExceeded: .failureOffline
      case .unauthenticated: .failureSession
      case .signinInvalidPassword: .failurePassword
      case .signupCredentialError: .failureCredential
      case .signupError: .failureTaken
      case .mfaError: .failureFactor
      case .signinError, .signInUserBlocked: .failureBlocked
      case .resourceExhausted: .failureTooOften
      case .permissionDenied, .unauthorized: .failureNotAllowed
      case .failedPrecondition, .aborted, .alreadyExists, .notFound: .failureNotNow
      default: .failureOther
      }
  }
}
