// SPDX-License-Identifier: Apache-2.0

/// What phones write around their identifiers, in some of their languages.
package struct SheetTexts: Sendable {
  package enum Language: String, Sendable, Codable, CaseIterable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case italian = "it"
    case portuguese = "pt"
    case polish = "pl"
    case turkish = "tr"
    case indonesian = "id"
    case russian = "ru"
    case greek = "el"
  }

  let title: String, serial: String, slot: String, done: String, model: String

  init(_ language: Language) {
    switch language {
    case .english: self.init("Device Info", "Serial Number", "slot", "Done", "Model Number")
    case .german: self.init("Geräteinformationen", "Seriennummer", "SIM-Slot", "Fertig", "Modellnummer")
    case .french: self.init("Infos sur l’appareil", "Numéro de série", "emplacement", "OK", "Numéro de modèle")
    case .spanish: self.init("Información del dispositivo", "Número de serie", "ranura", "Listo", "Número de modelo")
    case .italian: self.init("Info dispositivo", "Numero di serie", "slot", "Fine", "Numero modello")
    case .portuguese: self.init("Informações do aparelho", "Número de série", "slot", "Concluído", "Número do modelo")
    case .polish: self.init("Informacje o urządzeniu", "Numer seryjny", "gniazdo", "Gotowe", "Numer modelu")
    case .turkish: self.init("Cihaz bilgisi", "Seri Numarası", "yuva", "Bitti", "Model Numarası")
    case .indonesian: self.init("Info Perangkat", "Nomor Seri", "slot", "Selesai", "Nomor Model")
    case .russian: self.init("Сведения об устройстве", "Серийный номер", "слот", "Готово", "Номер модели")
    case .greek: self.init("Πληροφορίες συσκευής", "Αριθμός σειράς", "υποδοχή", "Τέλος", "Αριθμός μοντέλου")
    }
  }

  private init(_ title: String, _ serial: String, _ slot: String, _ done: String, _ model: String) {
    (self.title, self.serial, self.slot, self.done, self.model) = (title, serial, slot, done, model)
  }

  /// The label of the IMEI of a slot.
  /// - Parameters:
  ///   - isAlone: whether the phone has one slot.
  ///   - manner: phones differ; see `SheetLook`.
  func imei(slot number: Int, isAlone: Bool, layout: SheetLook.Layout, manner: Int) -> String {
    if isAlone { return "IMEI" }
    switch layout {
    case .iosSheet, .iosRows: return number == 1 ? "IMEI" : "IMEI2"
    case .androidDialog: return manner.isMultiple(of: 2) ? "IMEI\(number)" : "IMEI \(number)"
    case .androidList: return manner.isMultiple(of: 2) ? "IMEI (\(slot) \(number))" : "IMEI \(number)"
    }
  }
}
