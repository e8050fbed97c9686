// SPDX-License-Identifier: Apache-2.0

/// The words that random holders are made of. Some have diacritics, hyphens or apostrophes, as people's names do.
enum Names {
  static let surnames = [
    "Hythloday", "Ademus", "Anyder", "Müller", "Ångström", "Søndergaard", "Łukaszewicz", "Žižka", "O'Connor",
    "Garcia Núñez", "Eriksson", "Ferreira", "Novák", "Szabó", "Ionescu", "Dubois", "Lefèvre", "Rossi", "Bianchi",
    "Papadopoulos", "Yılmaz", "Öztürk", "Haddad", "Nakamura", "Okonkwo", "Mbeki", "Larsen", "Þórsdóttir", "Kowalska",
    "Weiß", "Van der Berg", "Smith-Jones", "Marlowe", "Quinn", "Abernathy", "Castellanos", "Đorđević", "Petrova",
    "Lindqvist", "Moreau", "Zimmermann", "Buchwald", "Iyer", "Rahman", "Tanaka", "Whitfield", "Vella", "Ogilvie",
    "Sørensen", "Xavier", "Bellamy", "Kjær", "Håkansson", "Ürkmez",
  ]
  static let female = [
    "Anna", "Maria", "Eva-Lena", "Zoë", "Chloé", "Ingrid", "Sofía", "Małgorzata", "Åsa", "Hélène", "Beatrix", "Olga",
    "Fatima", "Yuki", "Amara", "Grace", "Louise", "Katarína", "Ludmila", "Nora", "Isabella", "Dorothea", "Jutta",
    "Victoria", "Wilhelmina", "Rachel", "Phoebe", "Xenia",
  ]
  static let male = [
    "Raphael", "Thomas", "Jürgen", "José", "Søren", "Łukasz", "Björn", "Jean-Luc", "Andrés", "Ömer", "Nikola", "Peter",
    "Hassan", "Kenji", "Chidi", "David", "Frederick", "Matteo", "Oskar", "Sebastian", "Benedict", "Günther", "Ian",
    "Walter", "Quentin", "Zachary", "Félix", "Víctor",
  ]
  /// Towns of an island that is nowhere; the first is its capital (More, Utopia, book II).
  static let towns = [
    "Amaurot", "Polylerit", "Macaria", "Achoria", "Anemolia", "Nephelo", "Alaopolis", "Zapolet", "Anydra", "Mentirano",
  ]
  static let streets = [
    "Garden Row", "Bridge Street", "Anyder Quay", "Market Lane", "Mill Road", "Harbour View", "Orchard Way",
    "Library Square", "Crescent Bay Road", "Siphogrant Street",
  ]
}
