// SPDX-License-Identifier: Apache-2.0

import ReferenceData
import RubixWire

extension ComplianceTemplate {
  /// What a bank asks to know its customer: work, money, purpose, public office (FATF recommendations 10 and 12).
  package static let standardKYC = ComplianceTemplate(
    id: "5b6f0c52-6f0e-4c55-9a0a-0d0c5f1d7a03", name: "KYC", version: 1,
    sections: [work, money, publicOffice, declaration])

  private static let work = Section(
    id: "work", name: "Work", nameArabic: "العمل",
    questions: [
      .required(
        "employment_status", "What do you do?", "ما هو وضعك الوظيفي؟", .choice,
        options: [
          Option("employed", "Employed", "موظف"),
          Option("self_employed", "Self-employed or own a business", "أعمل لحسابي الخاص"),
          Option("student", "Student", "طالب"),
          Option("retired", "Retired", "متقاعد"),
          Option("homemaker", "Homemaker", "ربة منزل"),
          Option("unemployed", "Not employed", "غير موظف"),
        ]),
      .required(
        "occupation", "Occupation", "المهنة", .text, max: 100,
        when: .when("employment_status", is: "employed", "self_employed")),
      .required(
        "employer_name", "Employer or business", "جهة العمل أو النشاط", .text, max: 100,
        when: .when("employment_status", is: "employed", "self_employed")),
      .optional(
        "employer_address", "Address of the employer or business", "عنوان جهة العمل أو النشاط", .address,
        when: .when("employment_status", is: "employed", "self_employed")),
      .optional(
        "employed_since", "Since when", "منذ متى", .date,
        when: .when("employment_status", is: "employed", "self_employed")),
    ])

  private static let money = Section(
    id: "money", name: "Money and purpose", nameArabic: "الأموال والغرض",
    questions: [
      .required(
        "source_of_funds", "Where does the money on this account come from?", "ما مصدر أموال هذا الحساب؟", .multi,
        max: 4,
        options: [
          Option("salary", "Salary", "راتب"),
          Option("business", "Business income", "دخل تجاري"),
          Option("investments", "Investments or rent", "استثمارات أو إيجارات"),
          Option("savings", "Savings", "مدخرات"),
          Option("pension", "Pension", "معاش تقاعدي"),
          Option("family", "Family", "العائلة"),
          Option("inheritance", "Inheritance or gift", "ميراث أو هبة"),
          Option("other", "Other", "أخرى"),
        ]),
      .required(
        "source_of_funds_details", "Which other source?", "ما هو المصدر الآخر؟", .text, max: 300,
        when: .when("source_of_funds", is: "other", "inheritance")),
      .required(
        "monthly_volume", "Expected monthly volume, in Kuwaiti dinars", "حجم التعاملات الشهري المتوقع بالدينار الكويتي",
        .choice,
        options: [
          Option("up_to_1000", "Up to 1,000", "حتى 1,000"),
          Option("up_to_5000", "1,000 to 5,000", "من 1,000 إلى 5,000"),
          Option("up_to_20000", "5,000 to 20,000", "من 5,000 إلى 20,000"),
          Option("over_20000", "Over 20,000", "أكثر من 20,000"),
        ]),
      .required(
        "account_purpose", "What do you open the account for?", "ما الغرض من فتح الحساب؟", .multi, max: 3,
        options: [
          Option("salary", "Salary", "استلام الراتب"),
          Option("savings", "Savings", "الادخار"),
          Option("daily_payments", "Daily payments", "المدفوعات اليومية"),
          Option("transfers_abroad", "Transfers abroad", "التحويلات إلى الخارج"),
          Option("investments", "Investments", "الاستثمار"),
          Option("business", "Business", "النشاط التجاري"),
        ]),
      .required(
        "transfer_country", "To which country mostly?", "إلى أي بلد غالباً؟", .country,
        when: .when("account_purpose", is: "transfers_abroad")),
    ])

  private static let publicOffice = Section(
    id: "public_office", name: "Public office", nameArabic: "المناصب العامة",
    questions: [
      .required(
        "pep",
        "Do you, a family member or a close associate hold a prominent public office, or did so in the last 12 months?",
        "هل تشغل أنت أو أحد أفراد عائلتك أو المقربين منك منصباً عاماً بارزاً، أو شغله خلال آخر 12 شهراً؟", .boolean),
      .required(
        "pep_relation", "Who?", "من هو؟", .choice, when: .when("pep", is: "true"),
        options: [
          Option("self", "I do", "أنا"),
          Option("family", "A family member", "أحد أفراد العائلة"),
          Option("associate", "A close associate", "أحد المقربين"),
        ]),
      .required(
        "pep_name", "Name of that person", "اسم ذلك الشخص", .text, max: 200,
        when: .when("pep_relation", is: "family", "associate")),
      .required("pep_office", "Office", "المنصب", .text, max: 200, when: .when("pep", is: "true")),
      .required("pep_country", "Country of the office", "بلد المنصب", .country, when: .when("pep", is: "true")),
      .optional("pep_until", "Held until, if it ended", "شغله حتى، إن انتهى", .date, when: .when("pep", is: "true")),
    ])

  private static let declaration = Section(
    id: "declaration", name: "Declaration", nameArabic: "الإقرار",
    questions: [
      .required(
        "own_account", "I open the account for myself and for nobody else.", "أفتح الحساب لنفسي وليس لصالح أي شخص آخر.",
        .boolean),
      .required(
        "beneficial_owner", "For whom else do you open it?", "لصالح من غيرك تفتحه؟", .text, max: 300,
        when: .when("own_account", is: "false")),
      .required("signature", "Signature (your name)", "التوقيع (اسمك)", .signature),
    ])
}
