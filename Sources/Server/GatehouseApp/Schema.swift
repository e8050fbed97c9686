import Capabilities
import Console
import FinapticFlow
import Kit
import OneAssistFlow
import RubixFlow
import SaltEdgeFlow
import Storage
import WultraFlow

/// Every step of the schema, ascending. A released step is never edited.
package enum Schema {
  package static let migrations: [Migration] = [
    OutboxStore.migration, AuditStore.migration, DataKeyStore.migration, IdempotencyStore.migration,
    RateCounterStore.migration, SessionStore.migration, SessionStore.expiryMigration, SigningKeyStore.migration,
    Passcodes.migration, DevMessageStore.migration, Staff.migration, Screening.migration, AgentLeaveStore.migration,
    Appointments.migration, ApplicationStore.migration, ImageStore.migration, VerificationStore.migration,
    FormStore.migration, VerdictStore.migration, ScreeningNoteStore.migration, AuditStore.contentMigration,
    Screening.replacementMigration, ImageStore.erasureMigration, ErasureStore.migration, OutboxStore.leaseMigration,
    LiveEventStore.migration, LiveEventStore.forgettingMigration, OutboxStore.originMigration,
    OutboxStore.patienceMigration, OutboxStore.readyMigration,
    DevMessageStore.subjectMigration, DevMessageStore.pushMigration,
    Activations.migration, ServiceClientStore.migration,
    ProcessStore.migration, IdentityVerificationStore.migration, SubmittedDocumentStore.migration,
    CaptureStore.migration, WultraFlow.ConsentStore.migration, ReviewStore.migration,
    WultraFlow.ConsentStore.decisionMigration, ProcessStore.erasureMigration,
    ProviderStore.migration, ProviderStore.suspensionMigration, ConnectionStore.migration,
    ConnectionStore.retentionMigration,
    AuthorizationStore.migration, AuthorizationStore.decidedMigration, SaltEdgeFlow.ConsentStore.migration,
    OperationStore.migration, SpentStore.migration, DemoBankStore.migration,
    PartnerStore.migration, MembershipStore.migration, TokenStore.migration, LinkStore.migration,
    DocumentStore.migration, ScreenStore.migration,
    TenantStore.migration, FinapticUserStore.migration, AccountLinkStore.migration, SecondFactorStore.migration,
    OnboardingStore.migration, ClientProfileStore.migration, OpenedProductStore.migration, FileStore.migration,
    RefusalStore.migration, EventEndpointStore.migration, BundleStore.migration,
    FaultStore.migration, RegistrationStore.migration, IncomingTransferStore.migration,
    LedgerStore.migration, BankTransactionStore.migration, DayEndStore.migration, RightsStore.migration,
    WebhookEndpointStore.migration, WebhookDeliveryStore.migration, EventEndpointStore.movingMigration,
    WebhookTurnStore.migration, WebhookEndpointStore.bindingMigration, WebhookLogStore.migration,
    PushChannelStore.migration,
    ConversationStore.migration,
    InvitationStore.migration, CardStore.migration, CardTokenStore.migration, CardPaymentStore.migration,
  ].sorted { $0.id < $1.id }
}
