import { worded, type Fault, type FaultSentences, type Rewrite } from '@helioport/sdk/diagnosis';
import type { Texts } from './en.ts';

const rewrites: Record<Rewrite, string> = {
  compact: 'ohne Leerraum',
  spaced: 'mit ", " und ": " als Trennern',
  indented: 'mit eingerückten Zeilen',
  sorted: 'mit sortierten Schlüsseln',
  escaped: 'mit anders maskierten Nicht-ASCII-Zeichen',
  slashes: 'mit Schrägstrichen als \\/',
  lineFeedAdded: 'mit einem Zeilenende am Schluss',
  lineFeedRemoved: 'ohne den Leerraum an seinen Enden',
  crlf: 'mit CRLF an den Zeilenenden',
  lf: 'mit LF statt CRLF oder ohne Zeilenenden',
  bomAdded: 'mit einer Byte-Reihenfolge-Marke (BOM) am Anfang',
  bomRemoved: 'ohne seine Byte-Reihenfolge-Marke (BOM)',
  latin1: 'in ISO 8859-1',
  utf16: 'in UTF-16',
  quoted: 'zweimal als JSON kodiert',
  singleQuotes: 'mit einfachen Anführungszeichen, wie Python es ausgibt',
  form: 'als Formular',
  emptyObject: 'als leeres Objekt {}',
  empty: 'leer',
};

const rewriteOf = ({ rewrite }: Fault): string =>
  rewrite === undefined ? '' : `, vom Inhalt ${rewrites[rewrite]}`;
const partOf = (part: string): string =>
  part === 'path' ? 'Pfad' : part === 'method' ? 'Methode' : part;

const sentences: FaultSentences = {
  query: worded(
    ({ was }) =>
      `Die Adresse hat einen Abfrageteil (?${was}), den eine Signatur nicht abdecken kann. Senden Sie alles im Inhalt.`,
  ),
  pathSlash: worded(
    ({ was, should }) =>
      `Der Pfad ${was} hat einen Schrägstrich zu viel. Rufen Sie ${should} auf, und signieren Sie das.`,
  ),
  pathForm: worded(
    ({ was }) =>
      `${was} ist kein Pfad dieser Schnittstelle: Pfade beginnen mit /v1/api/ oder /v2/api/ und stehen ohne Maskierungen und Punkte da.`,
  ),
  method: worded(
    ({ was }) =>
      `Die Methode ist ${was}. Senden Sie ein POST; die erste signierte Zeile ist immer POST.`,
  ),
  contentType: worded(({ was, should }) => `Content-Type ist „${was}“. Senden Sie ${should}.`),
  contentEncoding: worded(
    ({ was }) =>
      `Der Inhalt soll komprimiert sein (Content-Encoding: ${was}). Senden Sie ihn, wie er ist.`,
  ),
  headerMissing: worded(({ part }) => `Der Kopf ${part} fehlt.`),
  headerTwice: worded(
    ({ part }) =>
      `Der Kopf ${part} wurde mehrfach gesendet. Senden Sie ihn einmal; eine Bibliothek oder ein Proxy fügt vielleicht einen zweiten hinzu.`,
  ),
  invisible: worded(
    ({ part, was }) =>
      `${partOf(part)} enthält ein unsichtbares Zeichen: ${was}. Entfernen Sie es.`,
  ),
  notExpanded: worded(
    ({ part, was }) =>
      `In ${part} steht noch ${was}: Die Shell hat den Wert nicht eingesetzt. Nehmen Sie doppelte Anführungszeichen.`,
  ),
  bearer: () =>
    'Das ist ein Bearer-Token. Zu dieser Schnittstelle gehören signierte Anfragen, Tokens zur OAuth-Schnittstelle.',
  basic: () => 'Das ist HTTP Basic. Schreiben Sie Authorization als API <KeyID>:<sign>.',
  scheme: worded(
    ({ was }) =>
      `Authorization beginnt mit „${was}“. Schreiben Sie API, ein Leerzeichen, die KeyID, einen Doppelpunkt und die Signatur.`,
  ),
  schemeCase: worded(
    ({ was }) =>
      `Authorization beginnt mit „${was}“. Schreiben Sie API groß, dann ein Leerzeichen.`,
  ),
  separator: worded(
    ({ was }) =>
      `Zwischen KeyID und Signatur steht „${was}“. Schreiben Sie einen Doppelpunkt ohne Leerzeichen.`,
  ),
  brackets: () =>
    'Authorization enthält Anführungszeichen oder Klammern. Schreiben Sie API KeyID:sign ohne sie.',
  keyIdForm: worded(
    ({ was }) => `„${was}“ ist keine KeyID: Sie besteht nur aus Buchstaben und Ziffern.`,
  ),
  keyIdOther: worded(
    ({ was, should }) =>
      `Die Anfrage nennt die KeyID ${was}, das KeySecret gehört aber zu ${should}.`,
  ),
  signHex: () => 'Die Signatur ist hexadezimal. Kodieren Sie die 20 Bytes des HMAC als Base64.',
  signHexBase64: () =>
    'Die Signatur ist Base64 hexadezimaler Ziffern. Kodieren Sie die 20 Bytes des HMAC selbst.',
  signUrlSafe: () =>
    'Die Signatur ist im URL-sicheren Base64 mit - und _. Nehmen Sie das übliche Alphabet mit + und /.',
  signPadding: () => 'Der Signatur fehlt die Auffüllung. Sie endet auf = und hat 28 Zeichen.',
  signPercent: () =>
    'Die Signatur ist prozentkodiert (%2B, %2F, %3D). Im Kopf steht sie, wie sie ist.',
  signPlus: () =>
    'In der Signatur wurde + zum Leerzeichen, wie in Formularen. Im Kopf steht sie, wie sie ist.',
  signCase: () =>
    'Die Groß- und Kleinschreibung der Signatur wurde geändert. Base64 unterscheidet sie.',
  signForm: () => 'Die Signatur ist nicht Base64 von 20 Bytes.',
  dateForm: worded(
    ({ was, should }) =>
      `„${was}“ ist kein gültiges Date. Schreiben Sie es als ${should === '' ? 'Fri, 6 Nov 2026 05:01:09 GMT' : should}.`,
  ),
  dateWeekday: worded(
    ({ was, should }) =>
      `Der Wochentag in „${was}“ gehört nicht zu diesem Tag. Richtig ist ${should}.`,
  ),
  clock: worded(
    ({ time, isAhead }) =>
      `Date ist ${time} ${isAhead ? 'vor' : 'hinter'} der Zeit des Servers; 0:15:00 sind erlaubt. Stellen Sie die Uhr, oder rechnen Sie den Unterschied ein.`,
  ),
  zone: worded(
    ({ time, isAhead }) =>
      `Date geht ${time} ${isAhead ? 'vor' : 'nach'}, als wäre es die Ortszeit einer Zeitzone. Schreiben Sie die Zeit in GMT.`,
  ),
  crlf: () =>
    'Die fünf Teile wurden mit CRLF verbunden. Verbinden Sie sie mit einem einzelnen Zeilenvorschub (LF).',
  cr: () =>
    'Die fünf Teile wurden mit CR verbunden. Verbinden Sie sie mit einem einzelnen Zeilenvorschub (LF).',
  notJoined: () =>
    'Die fünf Teile wurden ohne etwas dazwischen verbunden. Setzen Sie einen Zeilenvorschub (LF) dazwischen.',
  joinedOtherwise: worded(
    ({ was }) =>
      `Die fünf Teile wurden mit „${was}“ verbunden. Verbinden Sie sie mit einem Zeilenvorschub (LF).`,
  ),
  literalLineFeed: () =>
    'Die fünf Teile wurden mit den zwei Zeichen \\n verbunden. Nehmen Sie einen echten Zeilenvorschub (LF), etwa mit printf oder doppelten Anführungszeichen.',
  endsWithLineFeed: () =>
    'Der signierte Text endete mit einem Zeilenende. Signieren Sie ihn ohne; echo fügt eines an, printf nicht.',
  emptyLine: () =>
    'Der signierte Text hatte eine Leerzeile. Er hat fünf Zeilen und keine dazwischen.',
  order: worded(
    ({ was }) =>
      `Die Teile standen in anderer Reihenfolge: ${was}. Die Reihenfolge ist POST, Content-MD5, Content-Type, Date, Pfad.`,
  ),
  partLeftOut: worded(({ part }) => `Im signierten Text fehlte ein Teil: ${partOf(part)}.`),
  quotedText: () =>
    'Der Text wurde in Anführungszeichen oder mit seinen Maskierungen signiert. Signieren Sie den Text selbst.',
  caseOfText: () =>
    'Der Text wurde vor dem Signieren in Groß- oder Kleinbuchstaben umgewandelt. Signieren Sie ihn, wie er ist.',
  percentText: () =>
    'Der Text wurde vor dem Signieren prozentkodiert. Signieren Sie ihn, wie er ist.',
  charset: worded(
    ({ was }) => `Der Text wurde in ${was} signiert. Nehmen Sie UTF-8 ohne Byte-Reihenfolge-Marke.`,
  ),
  signedMethod: worded(
    ({ was }) => `Die erste signierte Zeile war „${was}“. Sie ist immer POST, in Großbuchstaben.`,
  ),
  signedContentType: worded(
    ({ was, should }) =>
      `Content-Type wurde als „${was}“ signiert, aber als „${should}“ gesendet. Signieren Sie, was Sie senden.`,
  ),
  signedDateForm: worded(
    ({ was, should }) =>
      `Date wurde als „${was}“ signiert, aber als „${should}“ gesendet. Nehmen Sie für beides denselben Text.`,
  ),
  signedDateOther: worded(
    ({ time, was }) =>
      `Ein anderes Date wurde signiert: „${was}“, Abstand ${time}. Nehmen Sie die Zeit einmal, und ihren Text für beides.`,
  ),
  signedDateZone: worded(
    ({ time, was, should }) =>
      `Date wurde als „${was}“ signiert, ${time} entfernt von „${should}“, das gesendet wurde: Eines steht in einer anderen Zeitzone. Nehmen Sie für beides GMT.`,
  ),
  signedQuery: worded(
    ({ was, should }) =>
      `Der Pfad wurde mit seinem Abfrageteil signiert: ${was}. Signieren Sie nur ${should}.`,
  ),
  signedAddress: worded(
    ({ was, should }) =>
      `Die ganze Adresse wurde signiert: ${was}. Signieren Sie nur den Pfad ${should}.`,
  ),
  signedPrefix: worded(
    ({ was, should }) =>
      `Der Pfad wurde mit einem Präfix signiert: ${was}. Ein Proxy entfernt es; signieren Sie ${should}, was der Dienst sieht.`,
  ),
  signedNoPrefix: worded(
    ({ was, should }) => `Der Pfad wurde als „${was}“ signiert. Signieren Sie ihn ganz: ${should}.`,
  ),
  signedSlash: worded(
    ({ was, should }) =>
      `Der Pfad wurde als ${was} signiert, mit einem Schrägstrich zu viel oder zu wenig. Signieren Sie ${should}.`,
  ),
  signedPathCase: worded(
    ({ was, should }) =>
      `Der Pfad wurde in anderer Groß- und Kleinschreibung signiert: ${was}. Signieren Sie ${should}.`,
  ),
  signedVersion: worded(
    ({ was, should }) =>
      `Signiert wurde der Pfad ${was}, aufgerufen aber ${should}. Signieren Sie den, den Sie aufrufen.`,
  ),
  signedPath: worded(
    ({ was, should }) => `Der Pfad wurde als ${was} signiert. Signieren Sie ${should}.`,
  ),
  signedDigest: worded(
    ({ was, should }, fault) =>
      `Ein anderes Content-MD5 wurde signiert: ${was}${rewriteOf(fault)}; gesendet wurde ${should}. Berechnen Sie es einmal, aus den Bytes, die Sie senden, und nehmen Sie es für beides.`,
  ),
  signedBody: () =>
    'Der Inhalt selbst wurde statt Content-MD5 signiert. Signieren Sie die Prüfsumme.',
  keyLineEnd: () =>
    'Das KeySecret hatte ein Zeilenende, wie beim Lesen aus einer Datei. Schneiden Sie es ab.',
  keySpace: () => 'Um das KeySecret stand Leerraum, oder er steht hier. Schneiden Sie ihn ab.',
  keyDecoded: worded(
    ({ was }) => `Das KeySecret wurde dekodiert (${was}). Der Schlüssel ist sein Text in UTF-8.`,
  ),
  keyEncoded: worded(
    ({ was }) => `Das KeySecret wurde kodiert (${was}). Der Schlüssel ist sein Text in UTF-8.`,
  ),
  keyHashed: worded(
    ({ was }) =>
      `Vom KeySecret wurde eine Prüfsumme genommen (${was}). Der Schlüssel ist sein Text in UTF-8.`,
  ),
  keyCase: () =>
    'Die Groß- und Kleinschreibung des KeySecret wurde geändert. Nehmen Sie es, wie es gezeigt wurde.',
  keyQuotes: () => 'Um das KeySecret standen Anführungszeichen. Entfernen Sie sie.',
  keyBom: () =>
    'Vor dem KeySecret stand eine Byte-Reihenfolge-Marke (BOM), wie beim Lesen aus einer Datei. Entfernen Sie sie.',
  keySuffix: worded(
    ({ was }) =>
      `An das KeySecret wurde „${was}“ angehängt, wie es andere Dienste wollen. Nehmen Sie nur das KeySecret.`,
  ),
  keyIsKeyId: () => 'Als Schlüssel diente die KeyID. Nehmen Sie das KeySecret.',
  keyCharset: worded(({ was }) => `Das KeySecret wurde in ${was} verwendet. Nehmen Sie UTF-8.`),
  keyLetter: worded(
    ({ place, was, should }) =>
      `Zeichen ${place} des KeySecret ist ein anderes: im Programm ${was}, hier ${should}.`,
  ),
  keyTurned: worded(
    ({ place }) =>
      `Die Zeichen ${place} und ${place + 1} des KeySecret sind vertauscht, im Programm oder hier.`,
  ),
  keyShort: () => 'Im Programm fehlt ein Zeichen des KeySecret oder das ganze.',
  algorithm: worded(({ was }) => `Signiert wurde mit ${was}. Nehmen Sie HMAC-SHA1.`),
  noHmac: worded(
    ({ was }) =>
      `Die Signatur ist eine einfache Prüfsumme (${was}). Nehmen Sie HMAC-SHA1 mit dem KeySecret als Schlüssel.`,
  ),
  swapped: () =>
    'Beim Aufruf von HMAC wurden Schlüssel und Text vertauscht. Der Schlüssel ist das KeySecret.',
  otherSecret: () =>
    'Beide Texte sind gleich, also verwendet das Programm ein anderes KeySecret als dieses.',
  ownText: () =>
    'Ihr Text ergibt diese Signatur. Das KeySecret stimmt also, und der Text weicht von dem des Dienstes ab: siehe die markierten Bytes unten.',
  tooLong: worded(
    ({ part, should }) =>
      `${part} ist zu lang, um es zu untersuchen: Hier sind ${should} Zeichen möglich.`,
  ),
  unknown: () =>
    'Kein üblicher Fehler ergibt diese Signatur; wahrscheinlich entstand sie mit einem anderen KeySecret. Fügen Sie den Text ein, den Ihr Programm signiert, um sicher zu sein.',
  digestHex: worded(
    (_, fault) =>
      `Content-MD5 ist hexadezimal${rewriteOf(fault)}. Kodieren Sie die 16 Bytes der Prüfsumme als Base64.`,
  ),
  digestHexBase64: worded(
    (_, fault) =>
      `Content-MD5 ist Base64 hexadezimaler Ziffern${rewriteOf(fault)}. Kodieren Sie die 16 Bytes der Prüfsumme selbst.`,
  ),
  digestUrlSafe: () =>
    'Content-MD5 ist im URL-sicheren Base64 mit - und _. Nehmen Sie das übliche Alphabet mit + und /, aufgefüllt mit ==.',
  digestPadding: () => 'Content-MD5 fehlt die Auffüllung. Es endet auf ==.',
  digestCase: () =>
    'Die Groß- und Kleinschreibung von Content-MD5 wurde geändert. Base64 unterscheidet sie.',
  digestAlgorithm: worded(
    ({ part, should }) => `Content-MD5 ist eine Prüfsumme mit ${part}. Nehmen Sie MD5: ${should}.`,
  ),
  digestEmpty: worded(
    ({ should }) => `Content-MD5 ist leer, aber es gibt einen Inhalt. Senden Sie ${should}.`,
  ),
  bodyRewritten: ({ rewrite, should = '' }) =>
    `Content-MD5 gehört zum Inhalt ${rewrites[rewrite ?? 'empty']}: Nachdem die Prüfsumme gebildet war, hat eine Bibliothek oder ein Proxy den Inhalt neu geschrieben. Nehmen Sie die Prüfsumme der gesendeten Bytes (${should}), oder senden Sie die Bytes, von denen Sie sie gebildet haben.`,
  bodyOther: worded(
    ({ was, should }) =>
      `Content-MD5 ist ${was}, die Prüfsumme dieses Inhalts aber ${should}. Bilden Sie sie von den gesendeten Bytes.`,
  ),
  rewrittenOnTheWay: ({ rewrite, was = '' }) =>
    `Der Inhalt kam ${rewrite === undefined ? `verändert (Prüfsumme dort: ${was})` : rewrites[rewrite]} an: Eine Bibliothek oder ein Proxy hat ihn unterwegs neu geschrieben. Sorgen Sie dafür, dass er bleibt, wie er ist.`,
  headerRewritten: worded(
    ({ part, was, should }) =>
      `Der Dienst bekam „${was}“ als ${partOf(part)}, gesendet wurde „${should}“: Eine Bibliothek oder ein Proxy hat es unterwegs geändert.`,
  ),
};

const de: Texts = {
  title: 'Signatur prüfen',
  notSignedIn: 'Sie sind nicht angemeldet. Diese Seite geht auch ohne.',
  signIn: 'Anmelden',
  lead: 'Fügen Sie eine signierte Anfrage ein, die abgelehnt wurde. Diese Seite findet den Fehler und sagt, was zu ändern ist.',
  privacy:
    'Alles geschieht in diesem Browser. Weder das KeySecret noch die Anfrage verlassen ihn, und nichts wird aufbewahrt.',
  paste: 'Anfrage',
  pasteLead: 'Ein curl-Befehl, eine HTTP-Anfrage, ihre Köpfe oder ein Eintrag einer HAR-Datei.',
  example: 'Beispiel ausprobieren',
  clear: 'Alles leeren',
  parts: 'Die Teile der Anfrage',
  method: 'Methode',
  target: 'Pfad, wie aufgerufen',
  headers: 'Köpfe, einer je Zeile',
  body: 'Inhalt',
  bodyLead: 'Genau wie gesendet. Ein Zeilenende am Schluss zählt mit.',
  keySecret: 'KeySecret',
  keySecretLead: 'Mit ihm werden Fehler nicht vermutet, sondern bewiesen.',
  show: 'KeySecret zeigen',
  more: 'Was sonst bekannt ist',
  keyId: 'KeyID zu diesem KeySecret',
  ownText: 'Der Text, den Ihr Programm signiert hat',
  ownTextLead:
    'Textfelder verlieren CR. Als Literal ausgegeben, "POST\\r\\n…", wird er als das gelesen, wofür er steht.',
  answer: 'Die Antwort des Dienstes',
  answerLead: 'Ihr JSON nennt die Zeit des Servers und was ankam.',
  arrived: 'Wann sie ankam',
  arrivedLead: 'Zum Beispiel 2026-11-06T05:01:09Z; leer: jetzt.',
  notATime: 'Das ist keine Zeit. Schreiben Sie sie als 2026-11-06T05:01:09Z.',
  profile: 'Wie genau der Dienst prüft',
  profiles: {
    compatible: 'wie bestehende Programme es brauchen (üblich)',
    strict: 'streng nach der Spezifikation',
  },
  check: 'Fehler finden',
  nothing: 'Fügen Sie zuerst eine Anfrage ein, oder tippen Sie ihre Teile.',
  result: 'Was gefunden wurde',
  right: 'Der Dienst nimmt diese Signatur an.',
  rightLead:
    'Wurde sie dennoch abgelehnt, liegt es an anderem: am Zustand des Schlüssels, an seinen Adressen oder daran, dass die Anfrage zweimal gesendet wurde. Die Antwort sagt, woran.',
  unchecked: 'Ohne das KeySecret wurde die Signatur selbst nicht geprüft.',
  noForm: 'Die Form der Anfrage stimmt; mehr lässt sich nicht sagen.',
  noFormLead:
    'Geben Sie das KeySecret an oder den Text, den Ihr Programm signiert hat: Mit einem davon findet diese Seite heraus, was mit der Signatur ist.',
  proofs: {
    signature: 'Bewiesen: Das ergibt genau Ihre Signatur.',
    digest: 'Bewiesen: Das ergibt genau Ihre Prüfsumme.',
    form: 'In der Anfrage zu sehen.',
    time: 'Aus der Zeit errechnet.',
    none: 'Nicht sicher.',
  },
  compare: 'Der signierte Text, Byte für Byte',
  service: 'Der Dienst bildet',
  yours: 'Sie signierten',
  yoursUnknown: 'Was Sie signiert haben, steht hier, sobald es gefunden ist oder Sie es einfügen.',
  same: 'Beide sind gleich, Byte für Byte.',
  difference: (at, service, yours) =>
    `Der erste Unterschied ist bei Byte ${at}: Der Dienst hat ${service}, Sie haben ${yours}.`,
  end: 'das Ende',
  legend:
    'Unsichtbare Bytes sind benannt: LF, CR, TAB, NBSP (geschütztes Leerzeichen), BOM (Byte-Reihenfolge-Marke); · ist ein Leerzeichen.',
  expected: 'Was der Dienst erwartet',
  expectedMd5: 'Content-MD5 dieses Inhalts',
  expectedSign: 'Signatur über diese Köpfe',
  unreadable: {
    notARequest: 'Das ist keine Anfrage: weder ein curl-Befehl noch HTTP, Köpfe oder HAR.',
    notAHeader: 'Eine Zeile ist kein Kopf:',
    chunked: 'Der Inhalt ist in Stücke geteilt. Zeichnen Sie die Anfrage mit Content-Length auf.',
    incomplete: 'Der Inhalt ist kürzer, als Content-Length sagt.',
    quoteOpen: 'Ein Anführungszeichen des Befehls ist nicht geschlossen.',
    bodyInFile: 'Der Inhalt steht in einer Datei. Setzen Sie ihn anstelle ihres Namens ein:',
    tooLong: 'Für eine Anfrage ist das zu lang.',
    noAddress: 'Der Befehl nennt keine Adresse.',
    notHar: 'Dieses JSON enthält keine Anfrage einer HAR-Datei.',
  },
  sentences,
};
export default de;
