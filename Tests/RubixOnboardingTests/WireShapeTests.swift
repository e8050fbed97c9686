// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RubixOnboarding

/// Bodies as the specification shows them: read and written again, they are the same JSON.
@Suite("Rubix wire shapes")
struct WireShapeTests {
  private func expectSame<Value: Codable>(_: Value.Type, _ text: String) throws {
    let value = try WireJSON.decode(Value.self, from: Data(text.utf8))
    let written = try JSONSerialization.jsonObject(with: WireJSON.encode(value)) as? NSDictionary
    let given = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    #expect(written == given)
  }

  @Test("register (§6.1)")
  func register() throws {
    try expectSame(
      RegisterRequest.self,
      """
      {"device_id":"6E0C0000-0000","platform":"ios","contact_no":"+96550001234","email":"a@example.com",
       "first_name":"Erika","middle_name":null,"last_name":"Mustermann","date_of_birth":"1964-08-12","gender":"F",
       "nationality_code":"DEU","app_version":"1.4.0","os_version":"18.2","device_model":"iPhone15,2","locale":"en",
       "consents":[{"code":"terms","version":"2026-01","accepted_at":"2026-11-21T06:00:00Z"}]}
      """)
  }

  @Test("me (§6.3)")
  func me() throws {
    try expectSame(
      OnboardingView.self,
      """
      {"id":"0d5c","status":"pending","last_step":"RBX_ONB_STEP_PASSPORT_PROCESSED",
       "completed_steps":["RBX_ONB_STEP_REG_INITIATED"],
       "next_steps":[{"step":"RBX_ONB_STEP_DOCUMENTS_MATCHED","method":"POST","path":"/documents/verification",
                      "optional":false}],
       "customer":{"first_name":"ERIKA","middle_name":null,"last_name":"MUSTERMANN","contact_no":"+9655•••1234",
                   "email":"a•••@example.com","date_of_birth":"1964-08-12","nationality_code":"DEU","gender":"F"},
       "flags":{"is_contact_no_verified":false,"is_email_verified":false,"is_evaluation_verified":null,
                "is_aml_verified":false},
       "session":{"id":"s","status":"ACTIVE","selfies":["FACE_CAPTURE","FACE_ENROLLMENT","DEVICE_REGISTRATION"]},
       "documents":[{"id":"d","type":"PASSPORT","status":"PROCESSED"}],"appointment":null,
       "created_on":"2026-11-21T06:00:00Z","updated_on":"2026-11-21T06:00:00.250Z",
       "expires_on":"2027-02-19T06:00:00Z"}
      """)
  }

  @Test("a processed passport (§6.8)")
  func processed() throws {
    try expectSame(
      ProcessedDocument.self,
      """
      {"id":"d","type":"PASSPORT","status":"PROCESSED",
       "mrz":{"format":"TD3","lines":["P<UTO","L898902C36"],"valid":true,
              "fields":{"document_code":"P","issuing_state":"UTO","surname":"ERIKSSON","given_names":"ANNA MARIA",
                        "document_number":"L898902C3","nationality":"UTO","birth_date":"1974-08-12","sex":"F",
                        "expiry_date":"2032-04-15","optional_data_1":"ZE184226B","optional_data_2":null},
              "check_digits":{"document_number":{"present":"6","computed":"6","ok":true}},"warnings":[]},
       "visual_zone":{"surname":"ERIKSSON","given_names":"ANNA MARIA","document_number":"L898902C3",
                      "birth_date":"1974-08-12","expiry_date":"2032-04-15"},
       "portrait_id":"p","checks":[{"code":"mrz-check-digits","result":"pass"}]}
      """)
  }

  @Test("a verification, as agents and as customers see it (§6.9)")
  func verification() throws {
    try expectSame(
      DocumentVerification.self,
      """
      {"id":"v","status":"MATCH","attempt":1,"attempts_left":2,
       "rules":[{"code":"face-selfie-vs-document","result":"pass","score":0.91,"threshold":0.75},
                {"code":"liveness","result":"inconclusive"}],"reupload":["PASSPORT"]}
      """)
  }

  @Test("an agent's verdict (§6.14)")
  func verdict() throws {
    try expectSame(
      AgentVerificationRequest.self,
      """
      {"appointment_id":"p","customer_id":"c","verdict":"SUCCESSFUL",
       "checklist":[{"code":"face-matches-document","result":"yes"}],"failure_reason":null,"retry_allowed":false,
       "notes":"all well","call":{"started_at":"2026-11-22T08:00:00Z","ended_at":"2026-11-22T08:09:00Z",
       "recording_id":null}}
      """)
  }

  @Test("a screening, as officers see it (§7.4)")
  func screening() throws {
    try expectSame(
      ScreeningResult.self,
      """
      {"id":"s","reference_no":"1581795827563","status":"potential_match","screened_on":"2026-11-21T06:00:00Z",
       "subject":{"name":"ERIKA MUSTERMANN","date_of_birth":"1964-08-12","nationalities":["DEU"],
                  "document_numbers":["C01X0006H"]},
       "lists":[{"code":"UN","version":"2026-11-20"}],"threshold":0.875,
       "hits":[{"list":"OFAC_SDN","entity_id":"e","caption":"E. M.","score":0.9375,"topics":["sanction"],
                "matched":{"name":0.9375,"date_of_birth":"year","nationality":true},"disposition":"open"}],
       "next_review_on":"2027-11-21"}
      """)
  }
}
