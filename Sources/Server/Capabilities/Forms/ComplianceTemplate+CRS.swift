// SPDX-License-Identifier: Apache-2.0

import ReferenceData
import RubixWire

extension ComplianceTemplate {
  /// The self-certification of tax residence, after the OECD/BIAC model form (Rubix §7.1).
  package static let standardCRS = ComplianceTemplate(
    id: "5b6f0c52-6f0e-4c55-9a0a-0d0c5f1d7a01", name: "CRS", version: 1,
    sections: [
      Section(
        id: "account_holder", name: "Account holder", nameArabic: "صاحب الحساب",
        questions: [
          .optional("account_holder.title", "Title", "اللقب", .text, max: 20),
          .required("account_holder.family_name", "Family name", "اسم العائلة", .text, max: 100),
          .required("account_holder.first_name", "First name", "الاسم الأول", .text, max: 100),
          .optional("account_holder.middle_names", "Middle names", "الأسماء الوسطى", .text, max: 100),
          .required("account_holder.date_of_birth", "Date of birth", "تاريخ الميلاد", .date),
          .required("account_holder.place_of_birth.city", "Town or city of birth", "مدينة الميلاد", .text, max: 100),
          .required("account_holder.place_of_birth.country", "Country of birth", "بلد الميلاد", .country),
        ]),
      Section(
        id: "addresses", name: "Addresses", nameArabic: "العناوين",
        questions: [
          .required(
            "residence_address", "Current residence address (no P.O. box)",
            "عنوان السكن الحالي (بدون صندوق بريد)", .address),
          .optional("mailing_address", "Mailing address, if different", "عنوان المراسلة إن اختلف", .address),
        ]),
      Section(
        id: "tax_residences", name: "Countries of tax residence", nameArabic: "بلدان الإقامة الضريبية",
        repeatsMax: 5,
        questions: [
          .required("country", "Country of tax residence", "بلد الإقامة الضريبية", .country),
          .optional("tin", "Taxpayer number", "الرقم الضريبي", .tin, max: 40),
          .optional(
            "no_tin_reason", "Why there is no number", "سبب عدم وجود رقم", .choice,
            options: [
              Option("A", "The country issues no numbers to its residents", "لا يصدر البلد أرقاماً للمقيمين فيه"),
              Option("B", "I cannot obtain a number", "لا يمكنني الحصول على رقم"),
              Option("C", "The country's law does not ask for the number", "لا يشترط قانون البلد تقديم الرقم"),
            ]),
          .required(
            "no_tin_explanation", "Why you cannot obtain a number", "سبب عدم إمكانية الحصول على رقم", .text, max: 1000,
            when: .when("no_tin_reason", is: "B")),
        ]),
      Section(
        id: "explanation", name: "Explanation", nameArabic: "التوضيح",
        questions: [
          .optional(
            "explanation", "Why you are not tax resident where you live, if so",
            "سبب عدم إقامتك الضريبية في بلد سكنك، إن انطبق", .text, max: 1000)
        ]),
      Section(
        id: "declaration", name: "Declaration", nameArabic: "الإقرار",
        questions: [
          .required(
            "declaration.accepted",
            """
            I declare that all statements are correct and complete, I understand that they may be given to the tax \
            authorities of my countries of tax residence, and I undertake to tell the bank of any change within 30 days.
            """,
            """
            أقر بأن جميع البيانات صحيحة وكاملة، وأدرك أنه قد يتم تقديمها إلى السلطات الضريبية \
            في بلدان إقامتي الضريبية، \
            وأتعهد بإبلاغ البنك بأي تغيير خلال 30 يوماً.
            """, .boolean),
          .required(
            "declaration.capacity", "I sign", "أوقّع", .choice, options: capacities),
          .required(
            "declaration.power_of_attorney_id", "Copy of the power of attorney", "نسخة من الوكالة", .text, max: 64,
            pattern: "[A-Za-z0-9-]{1,64}",
            when: .when("declaration.capacity", is: "power_of_attorney", "guardian")),
          .required("declaration.signed_name", "Signature (your name)", "التوقيع (اسمك)", .signature),
          .required("declaration.signed_on", "Date of signing", "تاريخ التوقيع", .date),
        ]),
    ])

  /// In what capacity a person signs a tax form.
  static let capacities = [
    Option("self", "for myself", "عن نفسي"),
    Option("power_of_attorney", "under a power of attorney", "بموجب وكالة"),
    Option("guardian", "as legal guardian", "بصفتي الوصي القانوني"),
  ]
}
