// SPDX-License-Identifier: Apache-2.0

/// The lists that are the same everywhere, one code a line: `code | English | French`, in the order of showing
/// (finaptic §5.1, §5.5, §6.2, §7).
enum ReferenceTables {
  static let lists: [String: [ReferenceEntry]] = texts.mapValues(entries)

  private static func entries(_ table: String) -> [ReferenceEntry] {
    table.split(separator: "\n").map { line in
      let cells = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
      precondition(cells.count == 3, "A row of a table of codes has three cells.")
      return ReferenceEntry(cells[0], english: cells[1], french: cells[2])
    }
  }

  private static let texts: [String: String] = [
    ReferenceType.addressType: """
    HOME | Home | Domicile
    WORK | Work | Travail
    """,
    ReferenceType.consentType: """
    CONSENT_TYPE_ELECTRONIC_COMMUNICATION | Electronic communication | Communications électroniques
    CONSENT_TYPE_PRIVACY_POLICY | Privacy policy | Politique de confidentialité
    CONSENT_TYPE_TERMS_OF_USE_OF_APP | Terms of use of the app | Conditions d’utilisation de l’application
    CONSENT_TYPE_PRODUCT_AGREEMENT | Product agreement | Convention relative au produit
    """,
    ReferenceType.disclosureType: """
    DISCLOSURE_TYPE_DISCLOSURES_DURING_ISSUANCE_OF_PREPAID_CARD | Prepaid card disclosures | Renseignements sur la carte prépayée
    DISCLOSURE_TYPE_CREDIT_CARD_INFORMATION_BOX | Credit card information box | Encadré informatif de la carte de crédit
    """,
    ReferenceType.documentType: """
    DOCUMENT_TYPE_CANADIAN_PASSPORT | Canadian passport | Passeport canadien
    DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE | Driver’s licence | Permis de conduire
    DOCUMENT_TYPE_CANADIAN_PERMANENT_RESIDENT_CARD | Permanent resident card | Carte de résident permanent
    DOCUMENT_TYPE_CANADIAN_CITIZENSHIP_CARD | Citizenship card | Carte de citoyenneté
    DOCUMENT_TYPE_CANADIAN_PROVINCIAL_SERVICES_CARD | Provincial services card | Carte de services provinciale
    DOCUMENT_TYPE_CANADIAN_PROVINCIAL_IDENTITY_CARD | Provincial identity card | Carte d’identité provinciale
    """,
    ReferenceType.communicationPreference: """
    COMMUNICATION_PREFERENCES_MOBILE | Mobile | Appareil mobile
    COMMUNICATION_PREFERENCES_EMAIL | E-mail | Courriel
    """,
    ReferenceType.accountPurpose: """
    ACCOUNT_PURPOSE_EVERYDAY_TRANSACTIONS | Everyday transactions | Opérations courantes
    ACCOUNT_PURPOSE_EVERYDAY_BUSINESS_TRANSACTIONS | Everyday business transactions | Opérations courantes de l’entreprise
    ACCOUNT_PURPOSE_TRAVELLING | Travelling | Voyages
    ACCOUNT_PURPOSE_PAYING_FOR_SCHOOL | Paying for school | Études
    ACCOUNT_PURPOSE_BUYING_PROPERTY_RENOVATIONS | Buying property or renovations | Achat immobilier ou rénovations
    ACCOUNT_PURPOSE_BUYING_A_CAR | Buying a car | Achat d’une voiture
    ACCOUNT_PURPOSE_SAVINGS | Savings | Épargne
    ACCOUNT_PURPOSE_OTHER | Other | Autre
    """,
    ReferenceType.sourceOfFunds: """
    PRIMARY_SOURCE_OF_FUNDS_EMPLOYMENT_INCOME | Employment income | Revenu d’emploi
    PRIMARY_SOURCE_OF_FUNDS_LOANS | Loans | Prêts
    PRIMARY_SOURCE_OF_FUNDS_GIFTS | Gifts | Dons
    PRIMARY_SOURCE_OF_FUNDS_SALE_OF_ASSETS | Sale of assets | Vente d’actifs
    PRIMARY_SOURCE_OF_FUNDS_TRUST_INHERITANCE_FAMILY_INCOME | Trust, inheritance or family income | Fiducie, succession ou revenu familial
    PRIMARY_SOURCE_OF_FUNDS_GOVERNMENT_PAYMENTS | Government payments | Prestations gouvernementales
    PRIMARY_SOURCE_OF_FUNDS_SUPPORT_PAYMENTS | Support payments | Pension alimentaire
    PRIMARY_SOURCE_OF_FUNDS_GRANTS_SCHOLARSHIPS | Grants or scholarships | Subventions ou bourses d’études
    PRIMARY_SOURCE_OF_FUNDS_WORK_RELATED_PENSION | Work-related pension | Régime de retraite de l’employeur
    PRIMARY_SOURCE_OF_FUNDS_RENTAL_INCOME | Rental income | Revenu de location
    PRIMARY_SOURCE_OF_FUNDS_INVESTMENT_INCOME | Investment income | Revenu de placement
    PRIMARY_SOURCE_OF_FUNDS_ROYALTY_INCOME | Royalty income | Redevances
    PRIMARY_SOURCE_OF_FUNDS_TIPS_COMMISSIONS | Tips or commissions | Pourboires ou commissions
    PRIMARY_SOURCE_OF_FUNDS_INSURANCE_CLAIMS | Insurance claims | Indemnités d’assurance
    PRIMARY_SOURCE_OF_FUNDS_PENSION_RETIREMENT_INCOME | Pension or retirement income | Pension ou revenu de retraite
    PRIMARY_SOURCE_OF_FUNDS_WINDFALL | Windfall | Gain fortuit
    """,
    ReferenceType.employmentStatus: """
    EMPLOYMENT_STATUS_EMPLOYED | Employed | Employé
    EMPLOYMENT_STATUS_SELF_EMPLOYED | Self-employed | Travailleur autonome
    EMPLOYMENT_STATUS_UNEMPLOYED | Unemployed | Sans emploi
    EMPLOYMENT_STATUS_RETIRED | Retired | Retraité
    EMPLOYMENT_STATUS_STUDENT_EMPLOYED | Student with a job | Étudiant avec emploi
    EMPLOYMENT_STATUS_STUDENT_UNEMPLOYED | Student without a job | Étudiant sans emploi
    EMPLOYMENT_STATUS_HOMEMAKER | Homemaker | Personne au foyer
    """,
    ReferenceType.onboardingStatus: """
    New Application | New application | Nouvelle demande
    Data Collection | Data collection | Collecte de renseignements
    KYC In Progress | Identity check in progress | Vérification d’identité en cours
    KYC Success | Identity verified | Identité vérifiée
    KYC Failed | Identity not verified | Identité non vérifiée
    KYC Rejected | Identity check refused | Vérification d’identité refusée
    Application Accepted | Application accepted | Demande acceptée
    Application Processed | Application processed | Demande traitée
    Application Cancelled | Application cancelled | Demande annulée
    Application Rejected | Application rejected | Demande rejetée
    """,
    ReferenceType.language: """
    LANGUAGE_EN_CA | English | Anglais
    LANGUAGE_FR_CA | French | Français
    """,
    ReferenceType.failureCode: """
    FAILURE_CODE_ID_DOB_MATCH | The date of birth differs from the one on the document | La date de naissance diffère de celle de la pièce
    FAILURE_CODE_ID_NAME_MATCH | The name differs from the one on the document | Le nom diffère de celui de la pièce
    FAILURE_CODE_ID_EXPIRED | The document has expired | La pièce est expirée
    FAILURE_CODE_ID_VALIDATION | The document could not be verified | La pièce n’a pas pu être vérifiée
    FAILURE_CODE_ID_VERIFICATION | The document cannot be read | La pièce est illisible
    FAILURE_CODE_SELFIE_VALIDATION | The selfie could not be verified | L’égoportrait n’a pas pu être vérifié
    FAILURE_CODE_ID_SELFIE_MATCH | The selfie differs from the photo on the document | L’égoportrait diffère de la photo de la pièce
    FAILURE_CODE_AGE_OF_MAJORITY | Below the age of majority | En dessous de l’âge de la majorité
    FAILURE_CODE_DEFAULT | The application cannot be accepted | La demande ne peut être acceptée
    """,
    ReferenceType.state(of: "CA"): provinces,
    ReferenceType.state(of: "US"): states,
  ]
}
