import Delivery
import Kit
import RubixWire
import Scheduling

extension Appointments.Request {
  /// The wish of a customer, checked member by member (rubix-onboarding §6.13).
  /// - Throws: `Problem` validation-failed.
  init(_ body: AppointmentRequest) throws {
    var fields: [Problem.Field] = []
    if let gender = body.gender, !gender.isKnown {
      fields.append(.init("/gender", "unknown-value", AgentPreference.genderHint))
    }
    if let language = body.language, AgentPreference.language(language) == nil {
      fields.append(.init("/language", "format", AgentPreference.languageHint))
    }
    if let phone = body.phone, PhoneNumber(phone) == nil {
      fields.append(.init("/phone", "format", "A number in E.164 form, such as +96550001234."))
    }
    let reason = Appointment.Reason(rawValue: body.reason.rawValue)
    if reason == nil { fields.append(.init("/reason", "unknown-value", "verification or help.")) }
    guard fields.isEmpty else { throw Problem.validation(fields) }
    self.init(
      callTime: Instant(body.callTime),
      preference: AgentPreference(gender: body.gender?.rawValue, language: body.language),
      reason: reason ?? .verification, phone: body.phone)
  }
}
