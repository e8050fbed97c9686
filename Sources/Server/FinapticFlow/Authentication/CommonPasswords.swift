// SPDX-License-Identifier: Apache-2.0

/// Passwords that are tried first, in lower case and without the digits that people put behind them: our own list, with
/// the words that finaptic §8.1 names.
enum CommonPasswords {
  /// Whether a password is one of them with digits behind it. Symbols are not dropped (finaptic §8.1).
  static func holds(_ password: String) -> Bool {
    guard !password.isEmpty else { return false }
    return bare.contains(withoutDigits(password.lowercased()))
  }

  private static func withoutDigits(_ text: String) -> String {
    String(text.reversed().drop { ("0"..."9").contains($0) }.reversed())
  }

  /// The list's own digits go as well: `trustno1` with more digits behind it is no better. Digits alone are common.
  private static let bare: Set<String> = Set(words.map(withoutDigits)).union([""])

  static let words: Set<String> = Set(
    """
    aaaaaaaaaa aaaaaaaaaaa aaaaaaaaaaaa abcabcabc abcabcabcabc abcdef abcdefgh abcdefghijkl
    abcdefghijklm abcdefghijklmno abcdefghijklmnop adminadmin administrateur administration administrator
    adminpassword alexander alexandra andrew angelangel angelangelangel anything april arsenal asdfasdfasdf
    asdfghjkl asdfghjklqwerty ashley august automne autumn avengers azerty azertyuiop azertyuiopqs babygirl
    babygirlbabygirl banking barcelona baseball baseballbaseball basketball batman blessed blessing bonjour
    bonjourbonjour bonjourlemonde butterflies butterfly calgary calgaryflames canada canadacanada canadiens
    carolina changeit changeme changemenow charlie chelsea chocolat chocolate christian christopher computer
    computers correcthorsebatterystaple corvette creditcard cristina daniel december decembre default
    defaultpassword dimanche donotforget dontforgetme donttellanyone dragon edmonton edmontonoilers elizabeth
    everything examplepassword facebook february fernando ferrari fevrier football footballer footballfootball
    forever foreverandever forgetmenot fortnite freedom freedomfreedom friday gandalf george gocanada godisgood
    google gryffindor guestguest guestpassword harley harleydavidson harrypotter hockey hockeyhockey hogwarts
    hunter iamcanadian ilovejesus iloveyou iloveyoubaby iloveyouforever iloveyousomuch inshallah instagram internet
    internetexplorer jackson january janvier jennifer jessica jesuschrist jesuslovesyou jetaime jetaimemonamour
    jeudi jordan joshua july june juventus kawasaki letmein letmeinletmein letmeinnow letmeinplease liverpool
    loginlogin lovelovelove lover loveyou lundi madison manchester mapleleaf mapleleafs maplesyrup maplesyrups
    march mardi master matthew mercedes mercredi michael michaeljordan microsoft minecraft monamour monday
    moneymoney moneymoneymoney monkey monmotdepasse montreal montrealcanadiens motdepasse motdepassemotdepasse
    mustang mybank mybankaccount mylove mypassword mysecret mysecretpassword nevermind newpassword nicholas nothing
    november novembre ocanada october octobre oldpassword onetwothreefour onlinebanking ontario opensesame openup
    ottawa ottawasenators passphrase passw0rd password passwordpassword passwort pleasechangeme pokemon
    pokemonpokemon porsche poutine princess princessprincess printemps qazwsx qazwsxedcrfv qazwsxedcrfvtgb quebec
    qwerty qwerty12345qwerty qwertyqwerty qwertyuiop qwertyuiopas qwertyuiopasdfgh qwertyuiopasdfghjkl rainbow
    rainbows ranger realmadrid rememberme remembermeplease richrich roblox rootpassword rootroot samantha samedi
    sampleexample samsung saturday savings secret secretpassword september septembre shadow shadowshadow slytherin
    snapchat soccer soccersoccer soleil something spiderman spidermanspiderman spring springtime startrek starwars
    starwarsstarwars strawberry summer summertime sunday sunflower sunshine sunshinesunshine superman
    supermansuperman superuser sweetheart tabarnak temporary temppassword testing testpassword testtest
    testtesttest testuser thepassword thomas thursday timhortons topsecret toronto torontomapleleafs truenorth
    trustno1 trustno1trustno1 trustnoone tuesday userpassword useruser vancouver vancouvercanucks vendredi victoria
    volleyball wednesday welcome welcomeback welcomehome whatever whateverwhatever whatsapp windows winnipeg winter
    wintertime wolverine wxcvbn yamaha yourpassword youtube zaqxswcde zxcvbnm zxcvbnmasdfghjkl
    """.split(whereSeparator: \.isWhitespace).map { String($0) })
}
