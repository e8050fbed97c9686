import Kit
import RubixWire
import Scheduling
import Storage

/// An application with the rows around it that decide what comes next.
package struct Dossier: Sendable {
  package var application: Application
  /// The application as this transaction wrote it last; nil before. Views are kept by the version of the row, so that
  /// a command which changed only rows around the application writes it as well.
  var written: Application?
  var session: CaptureSession?
  /// Images in force.
  var images: [CapturedImage]
  var appointment: Appointment?
  let tenant: Tenant

  var documents: [CapturedImage] { images.filter { DocumentKind(documentType: $0.type) != nil } }

  func document(_ kind: DocumentKind) -> CapturedImage? { images.last { $0.type == kind.documentType } }

  /// Sub-types of the selfies that are in, in the required order.
  var selfies: [SelfieSubType] {
    SelfieSubType.known.filter { subType in images.contains { $0.type == .selfie && $0.subType == subType } }
  }

  var facts: ApplicationFacts {
    var facts = ApplicationFacts()
    let read = Set(documents.filter { $0.state == .processed }.map(\.type))
    facts.documentsComplete =
      tenant.documents.isSatisfied(by: read) && !documents.contains { $0.state == .processing }
    facts.evidenceRetaken = application.evaluation == nil && selfies.count == SelfieSubType.known.count
    facts.contactsConfirmed =
      application.sms == .confirmed && (application.email == .confirmed || !tenant.emailRequired)
    facts.formsComplete = ComplianceFormKind.allCases.allSatisfy { application.completedSteps.contains($0.step) }
    facts.callNeeded = (tenant.agentAlways || application.callRequired) && !application.agentAccepted
    facts.appointmentActive = appointment != nil
    return facts
  }
}

extension Dossier {
  /// What the customer is to do now, first the one that the app shows (rubix-onboarding §4.4).
  var nextSteps: [NextStep] {
    guard let node = ApplicationFlow.node(application.phase) else { return [] }
    let asked: [NextStep] =
      switch node.asks {
      case .nothing: []
      case .call(let call): [step(call, reason: node.phase.isInReview ? application.reviewReason?.rawValue : nil)]
      case .documents: documentSteps
      case .retakes: retakeSteps
      case .forms:
        ComplianceFormKind.allCases.filter { !application.completedSteps.contains($0.step) }
          .map { step(.submitForm($0)) }
      }
    switch node.contacts {
    case .offered: return asked + contactSteps(optional: true)
    case .required: return asked + contactSteps(optional: false)
    case .accepted, .closed: return asked
    }
  }

  /// Images that are read next, then sides that are still to be taken.
  private var documentSteps: [NextStep] {
    let reading = documents.filter { $0.state == .processing }.compactMap { DocumentKind(documentType: $0.type) }
    let read = Set(documents.filter { $0.state == .processed }.map(\.type))
    let taken = Set(documents.filter { $0.state != .failed }.map(\.type))
    let missing = tenant.documents.missing(read: read, begun: taken).filter { item in
      !reading.contains { $0.documentType == item.type }
    }
    return reading.map { step(.processDocument($0)) }
      + missing.compactMap { item in
        DocumentKind(documentType: item.type).map {
          step(.uploadDocument($0), optional: item.optional || !reading.isEmpty)
        }
      }
  }

  private var retakeSteps: [NextStep] {
    let reading = documents.filter { $0.state == .processing }.compactMap { DocumentKind(documentType: $0.type) }
    guard reading.isEmpty else { return reading.map { step(.processDocument($0)) } }
    return application.retake.compactMap { type in
      switch type {
      case .selfie: step(.uploadSelfie)
      case .liveness: step(.uploadLiveness)
      default: DocumentKind(documentType: type).map { step(.uploadDocument($0)) }
      }
    }
  }

  private func contactSteps(optional: Bool) -> [NextStep] {
    let channels: [OTPChannel] = tenant.emailRequired ? [.sms, .email] : [.sms]
    return channels.flatMap { channel -> [NextStep] in
      switch application.contact(channel) {
      case .confirmed: []
      case .unconfirmed: [step(.sendOTP(channel), optional: optional)]
      case .codeSent: [step(.verifyOTP(channel), optional: optional), step(.sendOTP(channel), optional: true)]
      }
    }
  }

  private func step(_ call: RubixCall, optional: Bool = false, reason: String? = nil) -> NextStep {
    NextStep(step: call.step, method: "POST", path: call.path, optional: optional, reason: reason)
  }
}
