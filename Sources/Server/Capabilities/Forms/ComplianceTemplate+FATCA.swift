// SPDX-License-Identifier: Apache-2.0

import ReferenceData
import RubixWire

extension ComplianceTemplate {
  /// The certificate of US or foreign status (Rubix §7.2).
  package static let standardFATCA = ComplianceTemplate(
    id: "5b6f0c52-6f0e-4c55-9a0a-0d0c5f1d7a02", name: "FATCA", version: 1,
    sections: [
      Section(
        id: "status", name: "US status", nameArabic: "الوضع الأمريكي",
        questions: [
          .required(
            "is_us_person", "Are you a US person for tax purposes?", "هل أنت شخص أمريكي لأغراض الضريبة؟", .boolean)
        ]),
      Section(
        id: "us_indicia", name: "Links to the United States", nameArabic: "الصلات بالولايات المتحدة",
        questions: [
          .required("us_indicia.us_citizen", "US citizen", "مواطن أمريكي", .boolean),
          .required(
            "us_indicia.us_resident_or_green_card", "US resident or holder of a green card",
            "مقيم في الولايات المتحدة أو حامل للبطاقة الخضراء", .boolean),
          .required("us_indicia.us_place_of_birth", "Born in the US", "مولود في الولايات المتحدة", .boolean),
          .required("us_indicia.us_address", "US address", "عنوان في الولايات المتحدة", .boolean),
          .required("us_indicia.us_phone", "US telephone number", "رقم هاتف أمريكي", .boolean),
          .required(
            "us_indicia.us_standing_instructions", "Standing instructions to a US account",
            "تعليمات دائمة لحساب في الولايات المتحدة", .boolean),
          .required(
            "us_indicia.us_power_of_attorney", "Power of attorney for somebody with a US address",
            "وكالة لشخص له عنوان في الولايات المتحدة", .boolean),
          .required(
            "us_indicia.us_hold_mail_only", "A US hold-mail or in-care-of address as the only address",
            "عنوان حفظ بريد أو عناية في الولايات المتحدة كعنوان وحيد", .boolean),
        ]),
      Section(
        id: "form", name: "Form", nameArabic: "النموذج",
        questions: [
          .required(
            "form", "Form", "النموذج", .choice,
            options: [
              Option("W-8BEN", "W-8BEN, for anybody who is no US person", "W-8BEN لغير الأشخاص الأمريكيين"),
              Option("W-9", "W-9, for US persons", "W-9 للأشخاص الأمريكيين"),
            ])
        ]),
      w8benSection, w9Section, cureSection, certificationSection,
    ])

  private static let w8benSection = Section(
    id: "w8ben", name: "W-8BEN", nameArabic: "W-8BEN", level: 2,
    questions: [
      .required("w8ben.name", "Name", "الاسم", .text, max: 200, when: foreign),
      .required("w8ben.citizenship_country", "Country of citizenship", "بلد الجنسية", .country, when: foreign),
      .required(
        "w8ben.permanent_address", "Permanent residence address (no P.O. box, no in-care-of)",
        "عنوان الإقامة الدائمة (بدون صندوق بريد أو عناية)", .address, when: foreign),
      .optional(
        "w8ben.mailing_address", "Mailing address, if different", "عنوان المراسلة إن اختلف", .address,
        when: foreign),
      .optional(
        "w8ben.us_tin", "US taxpayer number, if any", "الرقم الضريبي الأمريكي إن وجد", .text, max: 11,
        pattern: "[0-9]{3}-?[0-9]{2}-?[0-9]{4}", when: foreign),
      .optional("w8ben.foreign_tin", "Foreign taxpayer number", "الرقم الضريبي الأجنبي", .text, max: 40, when: foreign),
      .optional(
        "w8ben.ftin_not_required", "No foreign taxpayer number is required", "لا يلزم رقم ضريبي أجنبي", .boolean,
        when: foreign),
      .optional("w8ben.reference", "Reference", "المرجع", .text, max: 50, when: foreign),
      .required("w8ben.date_of_birth", "Date of birth", "تاريخ الميلاد", .date, when: foreign),
      .optional("w8ben.treaty.country", "Treaty country", "بلد المعاهدة", .country, when: foreign),
      .optional("w8ben.treaty.article", "Article of the treaty", "مادة المعاهدة", .text, max: 1000, when: foreign),
      .optional(
        "w8ben.treaty.rate", "Rate of withholding, per cent", "نسبة الاستقطاع بالمئة", .text, max: 5,
        pattern: "[0-9]{1,2}.?[0-9]{0,2}", when: foreign),
      .optional("w8ben.treaty.income_type", "Type of income", "نوع الدخل", .text, max: 1000, when: foreign),
      .optional(
        "w8ben.treaty.reason", "Why the treaty applies", "سبب انطباق المعاهدة", .text, max: 1000, when: foreign),
    ])

  private static let w9Section = Section(
    id: "w9", name: "W-9", nameArabic: "W-9", level: 2,
    questions: [
      .required("w9.name", "Name", "الاسم", .text, max: 200, when: american),
      .optional(
        "w9.business_name", "Business name, if different", "الاسم التجاري إن اختلف", .text, max: 100,
        when: american),
      .required(
        "w9.tax_classification", "Tax classification", "التصنيف الضريبي", .choice, when: american,
        options: [Option("individual", "Individual", "فرد")]),
      .optional(
        "w9.exempt_payee_code", "Exempt payee code", "رمز المستفيد المعفى", .text, max: 2,
        pattern: "[0-9]{1,2}", when: american),
      .optional(
        "w9.fatca_exemption_code", "FATCA exemption code", "رمز الإعفاء من فاتكا", .text, max: 1,
        pattern: "[A-M]", when: american),
      .required("w9.address", "Address", "العنوان", .address, when: american),
      .required(
        "w9.tin_type", "Type of taxpayer number", "نوع الرقم الضريبي", .choice, when: american,
        options: [
          Option("SSN", "Social Security number", "رقم الضمان الاجتماعي"),
          Option("ITIN", "Individual taxpayer identification number", "رقم التعريف الضريبي الفردي"),
          Option("EIN", "Employer identification number", "رقم تعريف صاحب العمل"),
        ]),
      .required("w9.tin", "Taxpayer number", "الرقم الضريبي", .text, max: 11, pattern: "[0-9-]{9,11}", when: american),
      .required(
        "w9.backup_withholding_notified", "I was told that backup withholding applies to me",
        "تم إبلاغي بخضوعي للاستقطاع الاحتياطي", .boolean, when: american),
    ])

  private static let cureSection = Section(
    id: "cure", name: "Why you are no US person", nameArabic: "سبب عدم كونك شخصاً أمريكياً", level: 2,
    questions: [
      .optional(
        "cure.document_id", "Passport of another country than the US", "جواز سفر من بلد غير الولايات المتحدة", .text,
        max: 64, pattern: "[A-Za-z0-9-]{1,64}", when: foreign),
      .optional(
        "cure.loss_of_nationality_id", "Certificate of loss of US nationality", "شهادة فقدان الجنسية الأمريكية", .text,
        max: 64, pattern: "[A-Za-z0-9-]{1,64}", when: foreign),
      .optional("cure.explanation", "Explanation", "التوضيح", .text, max: 1000, when: foreign),
    ])

  private static let certificationSection = Section(
    id: "certification", name: "Certification", nameArabic: "التصديق",
    questions: [
      .required(
        "certification.accepted",
        """
        Under penalties of perjury I declare that I have examined this form and that to the best of my knowledge and \
        belief it is true, correct and complete, and I undertake to give a new form within 30 days of any change.
        """,
        """
        أقر تحت طائلة عقوبة الحنث باليمين بأنني راجعت هذا النموذج وأنه على حد علمي واعتقادي صحيح وكامل، \
        وأتعهد بتقديم نموذج جديد خلال 30 يوماً من أي تغيير.
        """, .boolean),
      .required("certification.capacity", "I sign", "أوقّع", .choice, options: capacities),
      .required(
        "certification.power_of_attorney_id", "Copy of the power of attorney", "نسخة من الوكالة", .text, max: 64,
        pattern: "[A-Za-z0-9-]{1,64}", when: .when("certification.capacity", is: "power_of_attorney", "guardian")),
      .required("certification.signed_name", "Signature (your name)", "التوقيع (اسمك)", .signature),
      .required("certification.signed_on", "Date of signing", "تاريخ التوقيع", .date),
    ])

  private static let foreign = Dependency.when("is_us_person", is: "false")
  private static let american = Dependency.when("is_us_person", is: "true")
}
