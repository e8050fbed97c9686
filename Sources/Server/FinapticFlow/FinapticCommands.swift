// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import HTTP
import Kit

/// The commands of this flow, each built from what it uses.
extension FinapticDependencies {
  // MARK: Tenants and users

  package var tenants: FinapticTenants { FinapticTenants(core: core, ledger: ledger, policy: policy) }
  package var users: FinapticUsers { FinapticUsers(core: core, sessions: sessions, ledger: ledger) }
  /// Users as the desk looks them up.
  package var userRepository: FinapticUserRepository {
    FinapticUserRepository(core: core, sessions: sessions, users: users, bankStops: bankStops)
  }
  var links: AccountLinks { AccountLinks(core: core, messenger: messenger, policy: policy, texts: texts) }
  var factors: SecondFactors { SecondFactors(core: core, passcodes: passcodes, messenger: messenger, texts: texts) }
  func signUp(keeping answers: IdempotentAnswers) -> SignUpCommand {
    SignUpCommand(core: core, answers: answers, links: links, passwords: passwords)
  }
  var signIn: SignInCommand {
    SignInCommand(core: core, factors: factors, passwords: passwords, sessions: sessions, policy: policy)
  }
  func sessionCommands(keeping answers: IdempotentAnswers) -> SessionCommands {
    SessionCommands(core: core, answers: answers, sessions: sessions, policy: policy)
  }
  package var passwordReset: PasswordReset {
    PasswordReset(core: core, links: links, passwords: passwords, sessions: sessions, policy: policy)
  }
  var enrolment: FactorEnrolment {
    FactorEnrolment(
      core: core, factors: factors, passwords: passwords, passcodes: passcodes, sessions: sessions, policy: policy)
  }

  // MARK: Onboarding

  var applications: OnboardingService {
    OnboardingService(core: core, policy: policy, retries: onboarding.retries)
  }
  package var applicationReader: ApplicationReader { ApplicationReader(core: core) }
  package var bundles: TenantBundles { TenantBundles(core: core) }
  var onboardingCommands: OnboardingCommands {
    OnboardingCommands(
      core: core, applications: applications, refusesForeignTaxResidents: onboarding.refusesForeignTaxResidents)
  }
  var files: FileCommands { FileCommands(core: core, applications: applications, policy: policy) }
  func validation(keeping answers: IdempotentAnswers) -> ValidationCommands {
    ValidationCommands(
      core: core, answers: answers, applications: applications,
      inspection: IdentityInspection(reader: onboarding.identity, screening: onboarding.screening, files: files),
      profiles: onboarding.profiles)
  }
  var finalizing: FinalizeCommands { FinalizeCommands(core: core, applications: applications, opening: opening) }
  var opening: ProductOpening {
    ProductOpening(
      core: core, ledger: ledger, numbers: accountNumbers, cards: cardOpening.issuing, bankEvents: bankEvents)
  }
  var onboardingEvents: OnboardingEvents { OnboardingEvents(core: core, publisher: onboarding.publisher) }

  // MARK: Authorized users

  var invitations: InvitationCommands {
    InvitationCommands(core: core, ledger: ledger, bankEvents: bankEvents, policy: policy)
  }
  var invitationMail: InvitationMail { InvitationMail(core: core, messenger: messenger, policy: policy) }
  var authorizedUserRemoval: AuthorizedUserRemoval {
    AuthorizedUserRemoval(core: core, ledger: ledger, cards: cardCommands, bankEvents: bankEvents)
  }

  // MARK: Conversations and pushes

  /// Of this flow's customers and those who answer them.
  package var conversations: Conversations {
    Conversations(
      database: core.database, vault: core.vault, world: core.world, policy: policy.conversations,
      moves: core.mover.moves, cases: core.cases)
  }
  package var agentChats: AgentChatCommands { AgentChatCommands(core: core, conversations: conversations) }
  var helpCenter: HelpCenterCommands {
    HelpCenterCommands(core: core, conversations: conversations, policy: policy, texts: texts)
  }
  var pushNotices: PushNotices { PushNotices(core: core, push: push, texts: texts) }

  // MARK: Rights

  package var erasure: FinapticErasure {
    FinapticErasure(
      core: core, sessions: sessions, passcodes: passcodes, conversations: conversations, devOutbox: devOutbox,
      settlement: ErasureSettlement(core: core, stops: accountStops, incoming: incomingTransfers))
  }
  package var exporter: FinapticExporter { FinapticExporter(core: core, erasure: erasure, statements: statements) }
  var retention: FinapticRetention {
    FinapticRetention(core: core, applications: applications, policy: policy, erasure: erasure)
  }
}
