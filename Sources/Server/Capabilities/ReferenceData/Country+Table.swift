extension Country {
  /// ISO 3166-1, one country a line: alpha-2, alpha-3, numeric, E.164 country code, short English name, nationality
  /// adjective, Arabic name. All of the North American Numbering Plan is `+1`. Public facts as of 2026-11.
  static let table = """
    AD | AND | 020 | +376 | Andorra | Andorran | أندورا
    AE | ARE | 784 | +971 | United Arab Emirates | Emirati | الإمارات العربية المتحدة
    AF | AFG | 004 | +93 | Afghanistan | Afghan | أفغانستان
    AG | ATG | 028 | +1 | Antigua and Barbuda | Antiguan or Barbudan | أنتيغوا وبربودا
    AI | AIA | 660 | +1 | Anguilla | Anguillan | أنغويلا
    AL | ALB | 008 | +355 | Albania | Albanian | ألبانيا
    AM | ARM | 051 | +374 | Armenia | Armenian | أرمينيا
    AO | AGO | 024 | +244 | Angola | Angolan | أنغولا
    AQ | ATA | 010 | +672 | Antarctica | Antarctic | أنتاركتيكا
    AR | ARG | 032 | +54 | Argentina | Argentine | الأرجنتين
    AS | ASM | 016 | +1 | American Samoa | American Samoan | ساموا الأمريكية
    AT | AUT | 040 | +43 | Austria | Austrian | النمسا
    AU | AUS | 036 | +61 | Australia | Australian | أستراليا
    AW | ABW | 533 | +297 | Aruba | Aruban | أروبا
    AX | ALA | 248 | +358 | Åland Islands | Ålandic | جزر آلاند
    AZ | AZE | 031 | +994 | Azerbaijan | Azerbaijani | أذربيجان
    BA | BIH | 070 | +387 | Bosnia and Herzegovina | Bosnian or Herzegovinian | البوسنة والهرسك
    BB | BRB | 052 | +1 | Barbados | Barbadian | بربادوس
    BD | BGD | 050 | +880 | Bangladesh | Bangladeshi | بنغلاديش
    BE | BEL | 056 | +32 | Belgium | Belgian | بلجيكا
    BF | BFA | 854 | +226 | Burkina Faso | Burkinabe | بوركينا فاسو
    BG | BGR | 100 | +359 | Bulgaria | Bulgarian | بلغاريا
    BH | BHR | 048 | +973 | Bahrain | Bahraini | البحرين
    BI | BDI | 108 | +257 | Burundi | Burundian | بوروندي
    BJ | BEN | 204 | +229 | Benin | Beninese | بنين
    BL | BLM | 652 | +590 | St. Barthélemy | Barthélemois | سان بارتليمي
    BM | BMU | 060 | +1 | Bermuda | Bermudian | برمودا
    BN | BRN | 096 | +673 | Brunei | Bruneian | بروناي
    BO | BOL | 068 | +591 | Bolivia | Bolivian | بوليفيا
    BQ | BES | 535 | +599 | Caribbean Netherlands | Bonairean, Statian or Saban | هولندا الكاريبية
    BR | BRA | 076 | +55 | Brazil | Brazilian | البرازيل
    BS | BHS | 044 | +1 | Bahamas | Bahamian | جزر البهاما
    BT | BTN | 064 | +975 | Bhutan | Bhutanese | بوتان
    BV | BVT | 074 | +47 | Bouvet Island | Norwegian | جزيرة بوفيه
    BW | BWA | 072 | +267 | Botswana | Motswana | بوتسوانا
    BY | BLR | 112 | +375 | Belarus | Belarusian | بيلاروس
    BZ | BLZ | 084 | +501 | Belize | Belizean | بليز
    CA | CAN | 124 | +1 | Canada | Canadian | كندا
    CC | CCK | 166 | +61 | Cocos (Keeling) Islands | Cocos Islander | جزر كوكوس (كيلينغ)
    CD | COD | 180 | +243 | Congo (Democratic Republic) | Congolese | الكونغو - كينشاسا
    CF | CAF | 140 | +236 | Central African Republic | Central African | جمهورية أفريقيا الوسطى
    CG | COG | 178 | +242 | Congo | Congolese | الكونغو - برازافيل
    CH | CHE | 756 | +41 | Switzerland | Swiss | سويسرا
    CI | CIV | 384 | +225 | Côte d’Ivoire | Ivorian | ساحل العاج
    CK | COK | 184 | +682 | Cook Islands | Cook Islander | جزر كوك
    CL | CHL | 152 | +56 | Chile | Chilean | تشيلي
    CM | CMR | 120 | +237 | Cameroon | Cameroonian | الكاميرون
    CN | CHN | 156 | +86 | China | Chinese | الصين
    CO | COL | 170 | +57 | Colombia | Colombian | كولومبيا
    CR | CRI | 188 | +506 | Costa Rica | Costa Rican | كوستاريكا
    CU | CUB | 192 | +53 | Cuba | Cuban | كوبا
    CV | CPV | 132 | +238 | Cape Verde | Cabo Verdean | الرأس الأخضر
    CW | CUW | 531 | +599 | Curaçao | Curaçaoan | كوراساو
    CX | CXR | 162 | +61 | Christmas Island | Christmas Islander | جزيرة كريسماس
    CY | CYP | 196 | +357 | Cyprus | Cypriot | قبرص
    CZ | CZE | 203 | +420 | Czechia | Czech | التشيك
    DE | DEU | 276 | +49 | Germany | German | ألمانيا
    DJ | DJI | 262 | +253 | Djibouti | Djiboutian | جيبوتي
    DK | DNK | 208 | +45 | Denmark | Danish | الدانمرك
    DM | DMA | 212 | +1 | Dominica | Dominican | دومينيكا
    DO | DOM | 214 | +1 | Dominican Republic | Dominican | جمهورية الدومينيكان
    DZ | DZA | 012 | +213 | Algeria | Algerian | الجزائر
    EC | ECU | 218 | +593 | Ecuador | Ecuadorian | الإكوادور
    EE | EST | 233 | +372 | Estonia | Estonian | إستونيا
    EG | EGY | 818 | +20 | Egypt | Egyptian | مصر
    EH | ESH | 732 | +212 | Western Sahara | Sahrawi | الصحراء الغربية
    ER | ERI | 232 | +291 | Eritrea | Eritrean | إريتريا
    ES | ESP | 724 | +34 | Spain | Spanish | إسبانيا
    ET | ETH | 231 | +251 | Ethiopia | Ethiopian | إثيوبيا
    FI | FIN | 246 | +358 | Finland | Finnish | فنلندا
    FJ | FJI | 242 | +679 | Fiji | Fijian | فيجي
    FK | FLK | 238 | +500 | Falkland Islands | Falkland Islander | جزر فوكلاند
    FM | FSM | 583 | +691 | Micronesia | Micronesian | ميكرونيزيا
    FO | FRO | 234 | +298 | Faroe Islands | Faroese | جزر فارو
    FR | FRA | 250 | +33 | France | French | فرنسا
    GA | GAB | 266 | +241 | Gabon | Gabonese | الغابون
    GB | GBR | 826 | +44 | United Kingdom | British | المملكة المتحدة
    GD | GRD | 308 | +1 | Grenada | Grenadian | غرينادا
    GE | GEO | 268 | +995 | Georgia | Georgian | جورجيا
    GF | GUF | 254 | +594 | French Guiana | French Guianese | غويانا الفرنسية
    GG | GGY | 831 | +44 | Guernsey | Guernsey Islander | غيرنزي
    GH | GHA | 288 | +233 | Ghana | Ghanaian | غانا
    GI | GIB | 292 | +350 | Gibraltar | Gibraltarian | جبل طارق
    GL | GRL | 304 | +299 | Greenland | Greenlandic | غرينلاند
    GM | GMB | 270 | +220 | Gambia | Gambian | غامبيا
    GN | GIN | 324 | +224 | Guinea | Guinean | غينيا
    GP | GLP | 312 | +590 | Guadeloupe | Guadeloupean | غوادلوب
    GQ | GNQ | 226 | +240 | Equatorial Guinea | Equatorial Guinean | غينيا الاستوائية
    GR | GRC | 300 | +30 | Greece | Greek | اليونان
    GS | SGS | 239 | +500 | South Georgia and South Sandwich Islands | South Georgian | جورجيا الجنوبية وجزر ساندويتش الجنوبية
    GT | GTM | 320 | +502 | Guatemala | Guatemalan | غواتيمالا
    GU | GUM | 316 | +1 | Guam | Guamanian | غوام
    GW | GNB | 624 | +245 | Guinea-Bissau | Bissau-Guinean | غينيا بيساو
    GY | GUY | 328 | +592 | Guyana | Guyanese | غيانا
    HK | HKG | 344 | +852 | Hong Kong | Hong Konger | هونغ كونغ
    HM | HMD | 334 | +672 | Heard and McDonald Islands | Australian | جزيرة هيرد وجزر ماكدونالد
    HN | HND | 340 | +504 | Honduras | Honduran | هندوراس
    HR | HRV | 191 | +385 | Croatia | Croatian | كرواتيا
    HT | HTI | 332 | +509 | Haiti | Haitian | هايتي
    HU | HUN | 348 | +36 | Hungary | Hungarian | هنغاريا
    ID | IDN | 360 | +62 | Indonesia | Indonesian | إندونيسيا
    IE | IRL | 372 | +353 | Ireland | Irish | أيرلندا
    IL | ISR | 376 | +972 | Israel | Israeli | إسرائيل
    IM | IMN | 833 | +44 | Isle of Man | Manx | جزيرة مان
    IN | IND | 356 | +91 | India | Indian | الهند
    IO | IOT | 086 | +246 | British Indian Ocean Territory | British | الإقليم البريطاني في المحيط الهندي
    IQ | IRQ | 368 | +964 | Iraq | Iraqi | العراق
    IR | IRN | 364 | +98 | Iran | Iranian | إيران
    IS | ISL | 352 | +354 | Iceland | Icelandic | آيسلندا
    IT | ITA | 380 | +39 | Italy | Italian | إيطاليا
    JE | JEY | 832 | +44 | Jersey | Jersey Islander | جيرسي
    JM | JAM | 388 | +1 | Jamaica | Jamaican | جامايكا
    JO | JOR | 400 | +962 | Jordan | Jordanian | الأردن
    JP | JPN | 392 | +81 | Japan | Japanese | اليابان
    KE | KEN | 404 | +254 | Kenya | Kenyan | كينيا
    KG | KGZ | 417 | +996 | Kyrgyzstan | Kyrgyzstani | قيرغيزستان
    KH | KHM | 116 | +855 | Cambodia | Cambodian | كمبوديا
    KI | KIR | 296 | +686 | Kiribati | I-Kiribati | كيريباتي
    KM | COM | 174 | +269 | Comoros | Comorian | جزر القمر
    KN | KNA | 659 | +1 | St. Kitts and Nevis | Kittitian or Nevisian | سانت كيتس ونيفيس
    KP | PRK | 408 | +850 | North Korea | North Korean | كوريا الشمالية
    KR | KOR | 410 | +82 | South Korea | South Korean | كوريا الجنوبية
    KW | KWT | 414 | +965 | Kuwait | Kuwaiti | الكويت
    KY | CYM | 136 | +1 | Cayman Islands | Caymanian | جزر كايمان
    KZ | KAZ | 398 | +7 | Kazakhstan | Kazakhstani | كازاخستان
    LA | LAO | 418 | +856 | Laos | Lao | لاوس
    LB | LBN | 422 | +961 | Lebanon | Lebanese | لبنان
    LC | LCA | 662 | +1 | St. Lucia | Saint Lucian | سانت لوسيا
    LI | LIE | 438 | +423 | Liechtenstein | Liechtensteiner | ليختنشتاين
    LK | LKA | 144 | +94 | Sri Lanka | Sri Lankan | سريلانكا
    LR | LBR | 430 | +231 | Liberia | Liberian | ليبيريا
    LS | LSO | 426 | +266 | Lesotho | Mosotho | ليسوتو
    LT | LTU | 440 | +370 | Lithuania | Lithuanian | ليتوانيا
    LU | LUX | 442 | +352 | Luxembourg | Luxembourgish | لوكسمبورغ
    LV | LVA | 428 | +371 | Latvia | Latvian | لاتفيا
    LY | LBY | 434 | +218 | Libya | Libyan | ليبيا
    MA | MAR | 504 | +212 | Morocco | Moroccan | المغرب
    MC | MCO | 492 | +377 | Monaco | Monegasque | موناكو
    MD | MDA | 498 | +373 | Moldova | Moldovan | مولدوفا
    ME | MNE | 499 | +382 | Montenegro | Montenegrin | الجبل الأسود
    MF | MAF | 663 | +590 | St. Martin | Saint-Martinoise | سان مارتن
    MG | MDG | 450 | +261 | Madagascar | Malagasy | مدغشقر
    MH | MHL | 584 | +692 | Marshall Islands | Marshallese | جزر مارشال
    MK | MKD | 807 | +389 | North Macedonia | Macedonian | مقدونيا الشمالية
    ML | MLI | 466 | +223 | Mali | Malian | مالي
    MM | MMR | 104 | +95 | Myanmar | Burmese | ميانمار
    MN | MNG | 496 | +976 | Mongolia | Mongolian | منغوليا
    MO | MAC | 446 | +853 | Macao | Macanese | ماكاو
    MP | MNP | 580 | +1 | Northern Mariana Islands | Northern Mariana Islander | جزر ماريانا الشمالية
    MQ | MTQ | 474 | +596 | Martinique | Martinican | جزر المارتينيك
    MR | MRT | 478 | +222 | Mauritania | Mauritanian | موريتانيا
    MS | MSR | 500 | +1 | Montserrat | Montserratian | مونتسرات
    MT | MLT | 470 | +356 | Malta | Maltese | مالطا
    MU | MUS | 480 | +230 | Mauritius | Mauritian | موريشيوس
    MV | MDV | 462 | +960 | Maldives | Maldivian | جزر المالديف
    MW | MWI | 454 | +265 | Malawi | Malawian | ملاوي
    MX | MEX | 484 | +52 | Mexico | Mexican | المكسيك
    MY | MYS | 458 | +60 | Malaysia | Malaysian | ماليزيا
    MZ | MOZ | 508 | +258 | Mozambique | Mozambican | موزمبيق
    NA | NAM | 516 | +264 | Namibia | Namibian | ناميبيا
    NC | NCL | 540 | +687 | New Caledonia | New Caledonian | كاليدونيا الجديدة
    NE | NER | 562 | +227 | Niger | Nigerien | النيجر
    NF | NFK | 574 | +672 | Norfolk Island | Norfolk Islander | جزيرة نورفولك
    NG | NGA | 566 | +234 | Nigeria | Nigerian | نيجيريا
    NI | NIC | 558 | +505 | Nicaragua | Nicaraguan | نيكاراغوا
    NL | NLD | 528 | +31 | Netherlands | Dutch | هولندا
    NO | NOR | 578 | +47 | Norway | Norwegian | النرويج
    NP | NPL | 524 | +977 | Nepal | Nepali | نيبال
    NR | NRU | 520 | +674 | Nauru | Nauruan | ناورو
    NU | NIU | 570 | +683 | Niue | Niuean | نيوي
    NZ | NZL | 554 | +64 | New Zealand | New Zealander | نيوزيلندا
    OM | OMN | 512 | +968 | Oman | Omani | عُمان
    PA | PAN | 591 | +507 | Panama | Panamanian | بنما
    PE | PER | 604 | +51 | Peru | Peruvian | بيرو
    PF | PYF | 258 | +689 | French Polynesia | French Polynesian | بولينيزيا الفرنسية
    PG | PNG | 598 | +675 | Papua New Guinea | Papua New Guinean | بابوا غينيا الجديدة
    PH | PHL | 608 | +63 | Philippines | Filipino | الفلبين
    PK | PAK | 586 | +92 | Pakistan | Pakistani | باكستان
    PL | POL | 616 | +48 | Poland | Polish | بولندا
    PM | SPM | 666 | +508 | St. Pierre and Miquelon | Saint-Pierrais or Miquelonnais | سان بيير ومكويلون
    PN | PCN | 612 | +64 | Pitcairn Islands | Pitcairn Islander | جزر بيتكيرن
    PR | PRI | 630 | +1 | Puerto Rico | Puerto Rican | بورتوريكو
    PS | PSE | 275 | +970 | Palestine | Palestinian | فلسطين
    PT | PRT | 620 | +351 | Portugal | Portuguese | البرتغال
    PW | PLW | 585 | +680 | Palau | Palauan | بالاو
    PY | PRY | 600 | +595 | Paraguay | Paraguayan | باراغواي
    QA | QAT | 634 | +974 | Qatar | Qatari | قطر
    RE | REU | 638 | +262 | Réunion | Réunionese | روينيون
    RO | ROU | 642 | +40 | Romania | Romanian | رومانيا
    RS | SRB | 688 | +381 | Serbia | Serbian | صربيا
    RU | RUS | 643 | +7 | Russia | Russian | روسيا
    RW | RWA | 646 | +250 | Rwanda | Rwandan | رواندا
    SA | SAU | 682 | +966 | Saudi Arabia | Saudi | المملكة العربية السعودية
    SB | SLB | 090 | +677 | Solomon Islands | Solomon Islander | جزر سليمان
    SC | SYC | 690 | +248 | Seychelles | Seychellois | سيشل
    SD | SDN | 729 | +249 | Sudan | Sudanese | السودان
    SE | SWE | 752 | +46 | Sweden | Swedish | السويد
    SG | SGP | 702 | +65 | Singapore | Singaporean | سنغافورة
    SH | SHN | 654 | +290 | St. Helena | Saint Helenian | سانت هيلينا
    SI | SVN | 705 | +386 | Slovenia | Slovenian | سلوفينيا
    SJ | SJM | 744 | +47 | Svalbard and Jan Mayen | Norwegian | سفالبارد وجان ماين
    SK | SVK | 703 | +421 | Slovakia | Slovak | سلوفاكيا
    SL | SLE | 694 | +232 | Sierra Leone | Sierra Leonean | سيراليون
    SM | SMR | 674 | +378 | San Marino | Sammarinese | سان مارينو
    SN | SEN | 686 | +221 | Senegal | Senegalese | السنغال
    SO | SOM | 706 | +252 | Somalia | Somali | الصومال
    SR | SUR | 740 | +597 | Suriname | Surinamese | سورينام
    SS | SSD | 728 | +211 | South Sudan | South Sudanese | جنوب السودان
    ST | STP | 678 | +239 | São Tomé and Príncipe | São Toméan | ساو تومي وبرينسيبي
    SV | SLV | 222 | +503 | El Salvador | Salvadoran | السلفادور
    SX | SXM | 534 | +1 | Sint Maarten | Sint Maartener | سانت مارتن
    SY | SYR | 760 | +963 | Syria | Syrian | سوريا
    SZ | SWZ | 748 | +268 | Eswatini | Swazi | إسواتيني
    TC | TCA | 796 | +1 | Turks and Caicos Islands | Turks and Caicos Islander | جزر توركس وكايكوس
    TD | TCD | 148 | +235 | Chad | Chadian | تشاد
    TF | ATF | 260 | +262 | French Southern Territories | French | الأقاليم الجنوبية الفرنسية
    TG | TGO | 768 | +228 | Togo | Togolese | توغو
    TH | THA | 764 | +66 | Thailand | Thai | تايلاند
    TJ | TJK | 762 | +992 | Tajikistan | Tajikistani | طاجيكستان
    TK | TKL | 772 | +690 | Tokelau | Tokelauan | توكيلاو
    TL | TLS | 626 | +670 | Timor-Leste | Timorese | تيمور - ليشتي
    TM | TKM | 795 | +993 | Turkmenistan | Turkmen | تركمانستان
    TN | TUN | 788 | +216 | Tunisia | Tunisian | تونس
    TO | TON | 776 | +676 | Tonga | Tongan | تونغا
    TR | TUR | 792 | +90 | Türkiye | Turkish | تركيا
    TT | TTO | 780 | +1 | Trinidad and Tobago | Trinidadian or Tobagonian | ترينيداد وتوباغو
    TV | TUV | 798 | +688 | Tuvalu | Tuvaluan | توفالو
    TW | TWN | 158 | +886 | Taiwan | Taiwanese | تايوان
    TZ | TZA | 834 | +255 | Tanzania | Tanzanian | تنزانيا
    UA | UKR | 804 | +380 | Ukraine | Ukrainian | أوكرانيا
    UG | UGA | 800 | +256 | Uganda | Ugandan | أوغندا
    UM | UMI | 581 | +1 | U.S. Outlying Islands | American | جزر الولايات المتحدة النائية
    US | USA | 840 | +1 | United States | American | الولايات المتحدة
    UY | URY | 858 | +598 | Uruguay | Uruguayan | أورغواي
    UZ | UZB | 860 | +998 | Uzbekistan | Uzbekistani | أوزبكستان
    VA | VAT | 336 | +39 | Vatican City | Vatican | الفاتيكان
    VC | VCT | 670 | +1 | St. Vincent and Grenadines | Vincentian | سانت فنسنت وجزر غرينادين
    VE | VEN | 862 | +58 | Venezuela | Venezuelan | فنزويلا
    VG | VGB | 092 | +1 | British Virgin Islands | Virgin Islander | جزر فيرجن البريطانية
    VI | VIR | 850 | +1 | U.S. Virgin Islands | Virgin Islander | جزر فيرجن الأمريكية
    VN | VNM | 704 | +84 | Vietnam | Vietnamese | فيتنام
    VU | VUT | 548 | +678 | Vanuatu | Ni-Vanuatu | فانواتو
    WF | WLF | 876 | +681 | Wallis and Futuna | Wallisian or Futunan | جزر والس وفوتونا
    WS | WSM | 882 | +685 | Samoa | Samoan | ساموا
    YE | YEM | 887 | +967 | Yemen | Yemeni | اليمن
    YT | MYT | 175 | +262 | Mayotte | Mahoran | مايوت
    ZA | ZAF | 710 | +27 | South Africa | South African | جنوب أفريقيا
    ZM | ZMB | 894 | +260 | Zambia | Zambian | زامبيا
    ZW | ZWE | 716 | +263 | Zimbabwe | Zimbabwean | زيمبابوي
    """
}
