// SPDX-License-Identifier: Apache-2.0

extension Country {
  /// ISO 3166-1, one country a line: alpha-2, alpha-3, numeric, E.164 country code, short English name, nationality
  /// adjective, French name, Arabic name. All of the North American Numbering Plan is `+1`. Public facts as of 2026-11.
  static let table = """
    AD | AND | 020 | +376 | Andorra | Andorran | Andorre | أندورا
    AE | ARE | 784 | +971 | United Arab Emirates | Emirati | Émirats arabes unis | الإمارات العربية المتحدة
    AF | AFG | 004 | +93 | Afghanistan | Afghan | Afghanistan | أفغانستان
    AG | ATG | 028 | +1 | Antigua and Barbuda | Antiguan or Barbudan | Antigua-et-Barbuda | أنتيغوا وبربودا
    AI | AIA | 660 | +1 | Anguilla | Anguillan | Anguilla | أنغويلا
    AL | ALB | 008 | +355 | Albania | Albanian | Albanie | ألبانيا
    AM | ARM | 051 | +374 | Armenia | Armenian | Arménie | أرمينيا
    AO | AGO | 024 | +244 | Angola | Angolan | Angola | أنغولا
    AQ | ATA | 010 | +672 | Antarctica | Antarctic | Antarctique | أنتاركتيكا
    AR | ARG | 032 | +54 | Argentina | Argentine | Argentine | الأرجنتين
    AS | ASM | 016 | +1 | American Samoa | American Samoan | Samoa américaines | ساموا الأمريكية
    AT | AUT | 040 | +43 | Austria | Austrian | Autriche | النمسا
    AU | AUS | 036 | +61 | Australia | Australian | Australie | أستراليا
    AW | ABW | 533 | +297 | Aruba | Aruban | Aruba | أروبا
    AX | ALA | 248 | +358 | Åland Islands | Ålandic | Îles d’Åland | جزر آلاند
    AZ | AZE | 031 | +994 | Azerbaijan | Azerbaijani | Azerbaïdjan | أذربيجان
    BA | BIH | 070 | +387 | Bosnia and Herzegovina | Bosnian or Herzegovinian | Bosnie-Herzégovine | البوسنة والهرسك
    BB | BRB | 052 | +1 | Barbados | Barbadian | Barbade | بربادوس
    BD | BGD | 050 | +880 | Bangladesh | Bangladeshi | Bangladesh | بنغلاديش
    BE | BEL | 056 | +32 | Belgium | Belgian | Belgique | بلجيكا
    BF | BFA | 854 | +226 | Burkina Faso | Burkinabe | Burkina Faso | بوركينا فاسو
    BG | BGR | 100 | +359 | Bulgaria | Bulgarian | Bulgarie | بلغاريا
    BH | BHR | 048 | +973 | Bahrain | Bahraini | Bahreïn | البحرين
    BI | BDI | 108 | +257 | Burundi | Burundian | Burundi | بوروندي
    BJ | BEN | 204 | +229 | Benin | Beninese | Bénin | بنين
    BL | BLM | 652 | +590 | St. Barthélemy | Barthélemois | Saint-Barthélemy | سان بارتليمي
    BM | BMU | 060 | +1 | Bermuda | Bermudian | Bermudes | برمودا
    BN | BRN | 096 | +673 | Brunei | Bruneian | Brunei | بروناي
    BO | BOL | 068 | +591 | Bolivia | Bolivian | Bolivie | بوليفيا
    BQ | BES | 535 | +599 | Caribbean Netherlands | Bonairean, Statian or Saban | Pays-Bas caribéens | هولندا الكاريبية
    BR | BRA | 076 | +55 | Brazil | Brazilian | Brésil | البرازيل
    BS | BHS | 044 | +1 | Bahamas | Bahamian | Bahamas | جزر البهاما
    BT | BTN | 064 | +975 | Bhutan | Bhutanese | Bhoutan | بوتان
    BV | BVT | 074 | +47 | Bouvet Island | Norwegian | Île Bouvet | جزيرة بوفيه
    BW | BWA | 072 | +267 | Botswana | Motswana | Botswana | بوتسوانا
    BY | BLR | 112 | +375 | Belarus | Belarusian | Bélarus | بيلاروس
    BZ | BLZ | 084 | +501 | Belize | Belizean | Belize | بليز
    CA | CAN | 124 | +1 | Canada | Canadian | Canada | كندا
    CC | CCK | 166 | +61 | Cocos (Keeling) Islands | Cocos Islander | Îles Cocos (Keeling) | جزر كوكوس (كيلينغ)
    CD | COD | 180 | +243 | Congo (Democratic Republic) | Congolese | Congo (République démocratique) | الكونغو - كينشاسا
    CF | CAF | 140 | +236 | Central African Republic | Central African | République centrafricaine | جمهورية أفريقيا الوسطى
    CG | COG | 178 | +242 | Congo | Congolese | Congo | الكونغو - برازافيل
    CH | CHE | 756 | +41 | Switzerland | Swiss | Suisse | سويسرا
    CI | CIV | 384 | +225 | Côte d’Ivoire | Ivorian | Côte d’Ivoire | ساحل العاج
    CK | COK | 184 | +682 | Cook Islands | Cook Islander | Îles Cook | جزر كوك
    CL | CHL | 152 | +56 | Chile | Chilean | Chili | تشيلي
    CM | CMR | 120 | +237 | Cameroon | Cameroonian | Cameroun | الكاميرون
    CN | CHN | 156 | +86 | China | Chinese | Chine | الصين
    CO | COL | 170 | +57 | Colombia | Colombian | Colombie | كولومبيا
    CR | CRI | 188 | +506 | Costa Rica | Costa Rican | Costa Rica | كوستاريكا
    CU | CUB | 192 | +53 | Cuba | Cuban | Cuba | كوبا
    CV | CPV | 132 | +238 | Cape Verde | Cabo Verdean | Cap-Vert | الرأس الأخضر
    CW | CUW | 531 | +599 | Curaçao | Curaçaoan | Curaçao | كوراساو
    CX | CXR | 162 | +61 | Christmas Island | Christmas Islander | Île Christmas | جزيرة كريسماس
    CY | CYP | 196 | +357 | Cyprus | Cypriot | Chypre | قبرص
    CZ | CZE | 203 | +420 | Czechia | Czech | Tchéquie | التشيك
    DE | DEU | 276 | +49 | Germany | German | Allemagne | ألمانيا
    DJ | DJI | 262 | +253 | Djibouti | Djiboutian | Djibouti | جيبوتي
    DK | DNK | 208 | +45 | Denmark | Danish | Danemark | الدانمرك
    DM | DMA | 212 | +1 | Dominica | Dominican | Dominique | دومينيكا
    DO | DOM | 214 | +1 | Dominican Republic | Dominican | République dominicaine | جمهورية الدومينيكان
    DZ | DZA | 012 | +213 | Algeria | Algerian | Algérie | الجزائر
    EC | ECU | 218 | +593 | Ecuador | Ecuadorian | Équateur | الإكوادور
    EE | EST | 233 | +372 | Estonia | Estonian | Estonie | إستونيا
    EG | EGY | 818 | +20 | Egypt | Egyptian | Égypte | مصر
    EH | ESH | 732 | +212 | Western Sahara | Sahrawi | Sahara occidental | الصحراء الغربية
    ER | ERI | 232 | +291 | Eritrea | Eritrean | Érythrée | إريتريا
    ES | ESP | 724 | +34 | Spain | Spanish | Espagne | إسبانيا
    ET | ETH | 231 | +251 | Ethiopia | Ethiopian | Éthiopie | إثيوبيا
    FI | FIN | 246 | +358 | Finland | Finnish | Finlande | فنلندا
    FJ | FJI | 242 | +679 | Fiji | Fijian | Fidji | فيجي
    FK | FLK | 238 | +500 | Falkland Islands | Falkland Islander | Îles Malouines | جزر فوكلاند
    FM | FSM | 583 | +691 | Micronesia | Micronesian | Micronésie | ميكرونيزيا
    FO | FRO | 234 | +298 | Faroe Islands | Faroese | Îles Féroé | جزر فارو
    FR | FRA | 250 | +33 | France | French | France | فرنسا
    GA | GAB | 266 | +241 | Gabon | Gabonese | Gabon | الغابون
    GB | GBR | 826 | +44 | United Kingdom | British | Royaume-Uni | المملكة المتحدة
    GD | GRD | 308 | +1 | Grenada | Grenadian | Grenade | غرينادا
    GE | GEO | 268 | +995 | Georgia | Georgian | Géorgie | جورجيا
    GF | GUF | 254 | +594 | French Guiana | French Guianese | Guyane française | غويانا الفرنسية
    GG | GGY | 831 | +44 | Guernsey | Guernsey Islander | Guernesey | غيرنزي
    GH | GHA | 288 | +233 | Ghana | Ghanaian | Ghana | غانا
    GI | GIB | 292 | +350 | Gibraltar | Gibraltarian | Gibraltar | جبل طارق
    GL | GRL | 304 | +299 | Greenland | Greenlandic | Groenland | غرينلاند
    GM | GMB | 270 | +220 | Gambia | Gambian | Gambie | غامبيا
    GN | GIN | 324 | +224 | Guinea | Guinean | Guinée | غينيا
    GP | GLP | 312 | +590 | Guadeloupe | Guadeloupean | Guadeloupe | غوادلوب
    GQ | GNQ | 226 | +240 | Equatorial Guinea | Equatorial Guinean | Guinée équatoriale | غينيا الاستوائية
    GR | GRC | 300 | +30 | Greece | Greek | Grèce | اليونان
    GS | SGS | 239 | +500 | South Georgia and South Sandwich Islands | South Georgian | Géorgie du Sud-et-les îles Sandwich du Sud | جورجيا الجنوبية وجزر ساندويتش الجنوبية
    GT | GTM | 320 | +502 | Guatemala | Guatemalan | Guatemala | غواتيمالا
    GU | GUM | 316 | +1 | Guam | Guamanian | Guam | غوام
    GW | GNB | 624 | +245 | Guinea-Bissau | Bissau-Guinean | Guinée-Bissau | غينيا بيساو
    GY | GUY | 328 | +592 | Guyana | Guyanese | Guyana | غيانا
    HK | HKG | 344 | +852 | Hong Kong | Hong Konger | Hong Kong | هونغ كونغ
    HM | HMD | 334 | +672 | Heard and McDonald Islands | Australian | Îles Heard-et-MacDonald | جزيرة هيرد وجزر ماكدونالد
    HN | HND | 340 | +504 | Honduras | Honduran | Honduras | هندوراس
    HR | HRV | 191 | +385 | Croatia | Croatian | Croatie | كرواتيا
    HT | HTI | 332 | +509 | Haiti | Haitian | Haïti | هايتي
    HU | HUN | 348 | +36 | Hungary | Hungarian | Hongrie | هنغاريا
    ID | IDN | 360 | +62 | Indonesia | Indonesian | Indonésie | إندونيسيا
    IE | IRL | 372 | +353 | Ireland | Irish | Irlande | أيرلندا
    IL | ISR | 376 | +972 | Israel | Israeli | Israël | إسرائيل
    IM | IMN | 833 | +44 | Isle of Man | Manx | Île de Man | جزيرة مان
    IN | IND | 356 | +91 | India | Indian | Inde | الهند
    IO | IOT | 086 | +246 | British Indian Ocean Territory | British | Territoire britannique de l’océan Indien | الإقليم البريطاني في المحيط الهندي
    IQ | IRQ | 368 | +964 | Iraq | Iraqi | Irak | العراق
    IR | IRN | 364 | +98 | Iran | Iranian | Iran | إيران
    IS | ISL | 352 | +354 | Iceland | Icelandic | Islande | آيسلندا
    IT | ITA | 380 | +39 | Italy | Italian | Italie | إيطاليا
    JE | JEY | 832 | +44 | Jersey | Jersey Islander | Jersey | جيرسي
    JM | JAM | 388 | +1 | Jamaica | Jamaican | Jamaïque | جامايكا
    JO | JOR | 400 | +962 | Jordan | Jordanian | Jordanie | الأردن
    JP | JPN | 392 | +81 | Japan | Japanese | Japon | اليابان
    KE | KEN | 404 | +254 | Kenya | Kenyan | Kenya | كينيا
    KG | KGZ | 417 | +996 | Kyrgyzstan | Kyrgyzstani | Kirghizistan | قيرغيزستان
    KH | KHM | 116 | +855 | Cambodia | Cambodian | Cambodge | كمبوديا
    KI | KIR | 296 | +686 | Kiribati | I-Kiribati | Kiribati | كيريباتي
    KM | COM | 174 | +269 | Comoros | Comorian | Comores | جزر القمر
    KN | KNA | 659 | +1 | St. Kitts and Nevis | Kittitian or Nevisian | Saint-Christophe-et-Niévès | سانت كيتس ونيفيس
    KP | PRK | 408 | +850 | North Korea | North Korean | Corée du Nord | كوريا الشمالية
    KR | KOR | 410 | +82 | South Korea | South Korean | Corée du Sud | كوريا الجنوبية
    KW | KWT | 414 | +965 | Kuwait | Kuwaiti | Koweït | الكويت
    KY | CYM | 136 | +1 | Cayman Islands | Caymanian | Îles Caïmans | جزر كايمان
    KZ | KAZ | 398 | +7 | Kazakhstan | Kazakhstani | Kazakhstan | كازاخستان
    LA | LAO | 418 | +856 | Laos | Lao | Laos | لاوس
    LB | LBN | 422 | +961 | Lebanon | Lebanese | Liban | لبنان
    LC | LCA | 662 | +1 | St. Lucia | Saint Lucian | Sainte-Lucie | سانت لوسيا
    LI | LIE | 438 | +423 | Liechtenstein | Liechtensteiner | Liechtenstein | ليختنشتاين
    LK | LKA | 144 | +94 | Sri Lanka | Sri Lankan | Sri Lanka | سريلانكا
    LR | LBR | 430 | +231 | Liberia | Liberian | Libéria | ليبيريا
    LS | LSO | 426 | +266 | Lesotho | Mosotho | Lesotho | ليسوتو
    LT | LTU | 440 | +370 | Lithuania | Lithuanian | Lituanie | ليتوانيا
    LU | LUX | 442 | +352 | Luxembourg | Luxembourgish | Luxembourg | لوكسمبورغ
    LV | LVA | 428 | +371 | Latvia | Latvian | Lettonie | لاتفيا
    LY | LBY | 434 | +218 | Libya | Libyan | Libye | ليبيا
    MA | MAR | 504 | +212 | Morocco | Moroccan | Maroc | المغرب
    MC | MCO | 492 | +377 | Monaco | Monegasque | Monaco | موناكو
    MD | MDA | 498 | +373 | Moldova | Moldovan | Moldavie | مولدوفا
    ME | MNE | 499 | +382 | Montenegro | Montenegrin | Monténégro | الجبل الأسود
    MF | MAF | 663 | +590 | St. Martin | Saint-Martinoise | Saint-Martin | سان مارتن
    MG | MDG | 450 | +261 | Madagascar | Malagasy | Madagascar | مدغشقر
    MH | MHL | 584 | +692 | Marshall Islands | Marshallese | Îles Marshall | جزر مارشال
    MK | MKD | 807 | +389 | North Macedonia | Macedonian | Macédoine du Nord | مقدونيا الشمالية
    ML | MLI | 466 | +223 | Mali | Malian | Mali | مالي
    MM | MMR | 104 | +95 | Myanmar | Burmese | Myanmar | ميانمار
    MN | MNG | 496 | +976 | Mongolia | Mongolian | Mongolie | منغوليا
    MO | MAC | 446 | +853 | Macao | Macanese | Macao | ماكاو
    MP | MNP | 580 | +1 | Northern Mariana Islands | Northern Mariana Islander | Îles Mariannes du Nord | جزر ماريانا الشمالية
    MQ | MTQ | 474 | +596 | Martinique | Martinican | Martinique | جزر المارتينيك
    MR | MRT | 478 | +222 | Mauritania | Mauritanian | Mauritanie | موريتانيا
    MS | MSR | 500 | +1 | Montserrat | Montserratian | Montserrat | مونتسرات
    MT | MLT | 470 | +356 | Malta | Maltese | Malte | مالطا
    MU | MUS | 480 | +230 | Mauritius | Mauritian | Maurice | موريشيوس
    MV | MDV | 462 | +960 | Maldives | Maldivian | Maldives | جزر المالديف
    MW | MWI | 454 | +265 | Malawi | Malawian | Malawi | ملاوي
    MX | MEX | 484 | +52 | Mexico | Mexican | Mexique | المكسيك
    MY | MYS | 458 | +60 | Malaysia | Malaysian | Malaisie | ماليزيا
    MZ | MOZ | 508 | +258 | Mozambique | Mozambican | Mozambique | موزمبيق
    NA | NAM | 516 | +264 | Namibia | Namibian | Namibie | ناميبيا
    NC | NCL | 540 | +687 | New Caledonia | New Caledonian | Nouvelle-Calédonie | كاليدونيا الجديدة
    NE | NER | 562 | +227 | Niger | Nigerien | Niger | النيجر
    NF | NFK | 574 | +672 | Norfolk Island | Norfolk Islander | Île Norfolk | جزيرة نورفولك
    NG | NGA | 566 | +234 | Nigeria | Nigerian | Nigéria | نيجيريا
    NI | NIC | 558 | +505 | Nicaragua | Nicaraguan | Nicaragua | نيكاراغوا
    NL | NLD | 528 | +31 | Netherlands | Dutch | Pays-Bas | هولندا
    NO | NOR | 578 | +47 | Norway | Norwegian | Norvège | النرويج
    NP | NPL | 524 | +977 | Nepal | Nepali | Népal | نيبال
    NR | NRU | 520 | +674 | Nauru | Nauruan | Nauru | ناورو
    NU | NIU | 570 | +683 | Niue | Niuean | Niue | نيوي
    NZ | NZL | 554 | +64 | New Zealand | New Zealander | Nouvelle-Zélande | نيوزيلندا
    OM | OMN | 512 | +968 | Oman | Omani | Oman | عُمان
    PA | PAN | 591 | +507 | Panama | Panamanian | Panama | بنما
    PE | PER | 604 | +51 | Peru | Peruvian | Pérou | بيرو
    PF | PYF | 258 | +689 | French Polynesia | French Polynesian | Polynésie française | بولينيزيا الفرنسية
    PG | PNG | 598 | +675 | Papua New Guinea | Papua New Guinean | Papouasie-Nouvelle-Guinée | بابوا غينيا الجديدة
    PH | PHL | 608 | +63 | Philippines | Filipino | Philippines | الفلبين
    PK | PAK | 586 | +92 | Pakistan | Pakistani | Pakistan | باكستان
    PL | POL | 616 | +48 | Poland | Polish | Pologne | بولندا
    PM | SPM | 666 | +508 | St. Pierre and Miquelon | Saint-Pierrais or Miquelonnais | Saint-Pierre-et-Miquelon | سان بيير ومكويلون
    PN | PCN | 612 | +64 | Pitcairn Islands | Pitcairn Islander | Îles Pitcairn | جزر بيتكيرن
    PR | PRI | 630 | +1 | Puerto Rico | Puerto Rican | Porto Rico | بورتوريكو
    PS | PSE | 275 | +970 | Palestine | Palestinian | Palestine | فلسطين
    PT | PRT | 620 | +351 | Portugal | Portuguese | Portugal | البرتغال
    PW | PLW | 585 | +680 | Palau | Palauan | Palaos | بالاو
    PY | PRY | 600 | +595 | Paraguay | Paraguayan | Paraguay | باراغواي
    QA | QAT | 634 | +974 | Qatar | Qatari | Qatar | قطر
    RE | REU | 638 | +262 | Réunion | Réunionese | La Réunion | روينيون
    RO | ROU | 642 | +40 | Romania | Romanian | Roumanie | رومانيا
    RS | SRB | 688 | +381 | Serbia | Serbian | Serbie | صربيا
    RU | RUS | 643 | +7 | Russia | Russian | Russie | روسيا
    RW | RWA | 646 | +250 | Rwanda | Rwandan | Rwanda | رواندا
    SA | SAU | 682 | +966 | Saudi Arabia | Saudi | Arabie saoudite | المملكة العربية السعودية
    SB | SLB | 090 | +677 | Solomon Islands | Solomon Islander | Îles Salomon | جزر سليمان
    SC | SYC | 690 | +248 | Seychelles | Seychellois | Seychelles | سيشل
    SD | SDN | 729 | +249 | Sudan | Sudanese | Soudan | السودان
    SE | SWE | 752 | +46 | Sweden | Swedish | Suède | السويد
    SG | SGP | 702 | +65 | Singapore | Singaporean | Singapour | سنغافورة
    SH | SHN | 654 | +290 | St. Helena | Saint Helenian | Sainte-Hélène | سانت هيلينا
    SI | SVN | 705 | +386 | Slovenia | Slovenian | Slovénie | سلوفينيا
    SJ | SJM | 744 | +47 | Svalbard and Jan Mayen | Norwegian | Svalbard et Jan Mayen | سفالبارد وجان ماين
    SK | SVK | 703 | +421 | Slovakia | Slovak | Slovaquie | سلوفاكيا
    SL | SLE | 694 | +232 | Sierra Leone | Sierra Leonean | Sierra Leone | سيراليون
    SM | SMR | 674 | +378 | San Marino | Sammarinese | Saint-Marin | سان مارينو
    SN | SEN | 686 | +221 | Senegal | Senegalese | Sénégal | السنغال
    SO | SOM | 706 | +252 | Somalia | Somali | Somalie | الصومال
    SR | SUR | 740 | +597 | Suriname | Surinamese | Suriname | سورينام
    SS | SSD | 728 | +211 | South Sudan | South Sudanese | Soudan du Sud | جنوب السودان
    ST | STP | 678 | +239 | São Tomé and Príncipe | São Toméan | Sao Tomé-et-Principe | ساو تومي وبرينسيبي
    SV | SLV | 222 | +503 | El Salvador | Salvadoran | Salvador | السلفادور
    SX | SXM | 534 | +1 | Sint Maarten | Sint Maartener | Saint-Martin (Pays-Bas) | سانت مارتن
    SY | SYR | 760 | +963 | Syria | Syrian | Syrie | سوريا
    SZ | SWZ | 748 | +268 | Eswatini | Swazi | Eswatini | إسواتيني
    TC | TCA | 796 | +1 | Turks and Caicos Islands | Turks and Caicos Islander | Îles Turques-et-Caïques | جزر توركس وكايكوس
    TD | TCD | 148 | +235 | Chad | Chadian | Tchad | تشاد
    TF | ATF | 260 | +262 | French Southern Territories | French | Terres australes françaises | الأقاليم الجنوبية الفرنسية
    TG | TGO | 768 | +228 | Togo | Togolese | Togo | توغو
    TH | THA | 764 | +66 | Thailand | Thai | Thaïlande | تايلاند
    TJ | TJK | 762 | +992 | Tajikistan | Tajikistani | Tadjikistan | طاجيكستان
    TK | TKL | 772 | +690 | Tokelau | Tokelauan | Tokelau | توكيلاو
    TL | TLS | 626 | +670 | Timor-Leste | Timorese | Timor-Leste | تيمور - ليشتي
    TM | TKM | 795 | +993 | Turkmenistan | Turkmen | Turkménistan | تركمانستان
    TN | TUN | 788 | +216 | Tunisia | Tunisian | Tunisie | تونس
    TO | TON | 776 | +676 | Tonga | Tongan | Tonga | تونغا
    TR | TUR | 792 | +90 | Türkiye | Turkish | Türkiye | تركيا
    TT | TTO | 780 | +1 | Trinidad and Tobago | Trinidadian or Tobagonian | Trinité-et-Tobago | ترينيداد وتوباغو
    TV | TUV | 798 | +688 | Tuvalu | Tuvaluan | Tuvalu | توفالو
    TW | TWN | 158 | +886 | Taiwan | Taiwanese | Taïwan | تايوان
    TZ | TZA | 834 | +255 | Tanzania | Tanzanian | Tanzanie | تنزانيا
    UA | UKR | 804 | +380 | Ukraine | Ukrainian | Ukraine | أوكرانيا
    UG | UGA | 800 | +256 | Uganda | Ugandan | Ouganda | أوغندا
    UM | UMI | 581 | +1 | U.S. Outlying Islands | American | Îles mineures éloignées des États-Unis | جزر الولايات المتحدة النائية
    US | USA | 840 | +1 | United States | American | États-Unis | الولايات المتحدة
    UY | URY | 858 | +598 | Uruguay | Uruguayan | Uruguay | أورغواي
    UZ | UZB | 860 | +998 | Uzbekistan | Uzbekistani | Ouzbékistan | أوزبكستان
    VA | VAT | 336 | +39 | Vatican City | Vatican | Cité du Vatican | الفاتيكان
    VC | VCT | 670 | +1 | St. Vincent and Grenadines | Vincentian | Saint-Vincent-et-les Grenadines | سانت فنسنت وجزر غرينادين
    VE | VEN | 862 | +58 | Venezuela | Venezuelan | Venezuela | فنزويلا
    VG | VGB | 092 | +1 | British Virgin Islands | Virgin Islander | Îles Vierges britanniques | جزر فيرجن البريطانية
    VI | VIR | 850 | +1 | U.S. Virgin Islands | Virgin Islander | Îles Vierges américaines | جزر فيرجن الأمريكية
    VN | VNM | 704 | +84 | Vietnam | Vietnamese | Vietnam | فيتنام
    VU | VUT | 548 | +678 | Vanuatu | Ni-Vanuatu | Vanuatu | فانواتو
    WF | WLF | 876 | +681 | Wallis and Futuna | Wallisian or Futunan | Wallis-et-Futuna | جزر والس وفوتونا
    WS | WSM | 882 | +685 | Samoa | Samoan | Samoa | ساموا
    YE | YEM | 887 | +967 | Yemen | Yemeni | Yémen | اليمن
    YT | MYT | 175 | +262 | Mayotte | Mahoran | Mayotte | مايوت
    ZA | ZAF | 710 | +27 | South Africa | South African | Afrique du Sud | جنوب أفريقيا
    ZM | ZMB | 894 | +260 | Zambia | Zambian | Zambie | زامبيا
    ZW | ZWE | 716 | +263 | Zimbabwe | Zimbabwean | Zimbabwe | زيمبابوي
    """
}
