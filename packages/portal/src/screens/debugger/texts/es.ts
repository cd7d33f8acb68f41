import { worded, type Fault, type FaultSentences, type Rewrite } from '@helioport/sdk/diagnosis';
import type { Texts } from './en.ts';

const rewrites: Record<Rewrite, string> = {
  compact: 'sin espacios',
  spaced: 'con ", " y ": " como separadores',
  indented: 'con líneas sangradas',
  sorted: 'con las claves ordenadas',
  escaped: 'con otros escapes de los caracteres no ASCII',
  slashes: 'con las barras como \\/',
  lineFeedAdded: 'con un salto de línea al final',
  lineFeedRemoved: 'sin los espacios de los extremos',
  crlf: 'con CRLF al final de las líneas',
  lf: 'con LF en lugar de CRLF, o sin saltos de línea',
  bomAdded: 'con una marca de orden de bytes (BOM) al principio',
  bomRemoved: 'sin su marca de orden de bytes (BOM)',
  latin1: 'en ISO 8859-1',
  utf16: 'en UTF-16',
  quoted: 'codificado dos veces como JSON',
  singleQuotes: 'con comillas simples, como lo imprime Python',
  form: 'como formulario',
  emptyObject: 'como objeto vacío {}',
  empty: 'vacío',
};

const rewriteOf = ({ rewrite }: Fault): string =>
  rewrite === undefined ? '' : `, del cuerpo ${rewrites[rewrite]}`;
const partOf = (part: string): string =>
  part === 'path' ? 'ruta' : part === 'method' ? 'método' : part;

const sentences: FaultSentences = {
  query: worded(
    ({ was }) =>
      `La dirección tiene una consulta (?${was}), que una firma no puede cubrir. Envíe todo en el cuerpo.`,
  ),
  pathSlash: worded(
    ({ was, should }) => `La ruta ${was} tiene una barra de más. Llame a ${should} y firme eso.`,
  ),
  pathForm: worded(
    ({ was }) =>
      `${was} no es una ruta de esta interfaz: las rutas empiezan por /v1/api/ o /v2/api/ y se escriben sin escapes ni puntos.`,
  ),
  method: worded(
    ({ was }) => `El método es ${was}. Envíe un POST; la primera línea firmada es siempre POST.`,
  ),
  contentType: worded(({ was, should }) => `Content-Type es «${was}». Envíe ${should}.`),
  contentEncoding: worded(
    ({ was }) =>
      `Se dice que el cuerpo está comprimido (Content-Encoding: ${was}). Envíelo tal cual.`,
  ),
  headerMissing: worded(({ part }) => `Falta la cabecera ${part}.`),
  headerTwice: worded(
    ({ part }) =>
      `La cabecera ${part} se envió más de una vez. Envíela una vez; quizá una biblioteca o un proxy añade otra.`,
  ),
  invisible: worded(
    ({ part, was }) =>
      `Hay un carácter invisible en ${part === 'path' ? 'la ruta' : partOf(part)}: ${was}. Quítelo.`,
  ),
  notExpanded: worded(
    ({ part, was }) =>
      `En ${part} sigue ${was}: la consola no puso el valor en su lugar. Use comillas dobles.`,
  ),
  bearer: () =>
    'Esto es un token Bearer. A esta interfaz van peticiones firmadas; los tokens son de la interfaz OAuth.',
  basic: () => 'Esto es HTTP Basic. Escriba Authorization como API <KeyID>:<sign>.',
  scheme: worded(
    ({ was }) =>
      `Authorization empieza por «${was}». Escriba API, un espacio, el KeyID, dos puntos y la firma.`,
  ),
  schemeCase: worded(
    ({ was }) => `Authorization empieza por «${was}». Escriba API en mayúsculas y un espacio.`,
  ),
  separator: worded(
    ({ was }) => `Entre el KeyID y la firma hay «${was}». Escriba dos puntos, sin espacios.`,
  ),
  brackets: () => 'Authorization tiene comillas o paréntesis. Escriba API KeyID:sign sin ellos.',
  keyIdForm: worded(({ was }) => `«${was}» no es un KeyID: solo tiene letras y cifras.`),
  keyIdOther: worded(
    ({ was, should }) => `La petición nombra el KeyID ${was}, pero el KeySecret es de ${should}.`,
  ),
  signHex: () => 'La firma está en hexadecimal. Codifique en base64 los 20 bytes del HMAC.',
  signHexBase64: () =>
    'La firma es base64 de cifras hexadecimales. Codifique los 20 bytes del HMAC mismos.',
  signUrlSafe: () =>
    'La firma está en base64 para URL, con - y _. Use el alfabeto usual con + y /.',
  signPadding: () => 'A la firma le falta el relleno. Acaba en = y tiene 28 caracteres.',
  signPercent: () =>
    'La firma está codificada con porcentajes (%2B, %2F, %3D). En la cabecera va tal cual.',
  signPlus: () =>
    'En la firma, + se volvió espacio, como en los formularios. En la cabecera va tal cual.',
  signCase: () => 'Se cambiaron mayúsculas y minúsculas de la firma. Base64 las distingue.',
  signForm: () => 'La firma no es base64 de 20 bytes.',
  dateForm: worded(
    ({ was, should }) =>
      `«${was}» no es un Date válido. Escríbalo así: ${should === '' ? 'Fri, 6 Nov 2026 05:01:09 GMT' : should}.`,
  ),
  dateWeekday: worded(
    ({ was, should }) =>
      `El día de la semana de «${was}» no es el de esa fecha. Lo correcto es ${should}.`,
  ),
  clock: worded(
    ({ time, isAhead }) =>
      `Date está ${time} ${isAhead ? 'por delante' : 'por detrás'} de la hora del servidor; se permiten 0:15:00. Ajuste el reloj o sume la diferencia.`,
  ),
  zone: worded(
    ({ time, isAhead }) =>
      `Date va ${time} ${isAhead ? 'adelantado' : 'atrasado'}, como si fuera la hora local de una zona. Escriba la hora en GMT.`,
  ),
  crlf: () => 'Las cinco partes se unieron con CRLF. Únalas con un solo salto de línea (LF).',
  cr: () => 'Las cinco partes se unieron con CR. Únalas con un solo salto de línea (LF).',
  notJoined: () =>
    'Las cinco partes se unieron sin nada en medio. Ponga un salto de línea (LF) entre ellas.',
  joinedOtherwise: worded(
    ({ was }) => `Las cinco partes se unieron con «${was}». Únalas con un salto de línea (LF).`,
  ),
  literalLineFeed: () =>
    'Las cinco partes se unieron con los dos caracteres \\n. Use un salto de línea (LF) de verdad, por ejemplo con printf o comillas dobles.',
  endsWithLineFeed: () =>
    'El texto firmado acababa en un salto de línea. Fírmelo sin él; echo lo añade, printf no.',
  emptyLine: () => 'El texto firmado tenía una línea vacía. Tiene cinco líneas y ninguna en medio.',
  order: worded(
    ({ was }) =>
      `Las partes estaban en otro orden: ${was}. El orden es POST, Content-MD5, Content-Type, Date, ruta.`,
  ),
  partLeftOut: worded(({ part }) => `Al texto firmado le faltaba una parte: ${partOf(part)}.`),
  quotedText: () => 'El texto se firmó entre comillas o con sus escapes. Firme el texto mismo.',
  caseOfText: () =>
    'El texto se pasó a mayúsculas o minúsculas antes de firmarlo. Fírmelo tal cual.',
  percentText: () => 'El texto se codificó con porcentajes antes de firmarlo. Fírmelo tal cual.',
  charset: worded(
    ({ was }) => `El texto se firmó en ${was}. Use UTF-8 sin marca de orden de bytes.`,
  ),
  signedMethod: worded(
    ({ was }) => `La primera línea firmada era «${was}». Es siempre POST, en mayúsculas.`,
  ),
  signedContentType: worded(
    ({ was, should }) =>
      `Content-Type se firmó como «${was}», pero se envió como «${should}». Firme lo que envía.`,
  ),
  signedDateForm: worded(
    ({ was, should }) =>
      `Date se firmó como «${was}», pero se envió como «${should}». Use el mismo texto para ambos.`,
  ),
  signedDateOther: worded(
    ({ time, was }) =>
      `Se firmó otro Date: «${was}», a ${time} de distancia. Tome la hora una vez y use su texto para ambos.`,
  ),
  signedDateZone: worded(
    ({ time, was, should }) =>
      `Date se firmó como «${was}», a ${time} de «${should}», que se envió: uno está en otra zona horaria. Use GMT para ambos.`,
  ),
  signedQuery: worded(
    ({ was, should }) => `La ruta se firmó con su consulta: ${was}. Firme solo ${should}.`,
  ),
  signedAddress: worded(
    ({ was, should }) => `Se firmó la dirección entera: ${was}. Firme solo la ruta ${should}.`,
  ),
  signedPrefix: worded(
    ({ was, should }) =>
      `La ruta se firmó con un prefijo: ${was}. Un proxy lo quita; firme ${should}, que es lo que ve el servicio.`,
  ),
  signedNoPrefix: worded(
    ({ was, should }) => `La ruta se firmó como «${was}». Fírmela entera: ${should}.`,
  ),
  signedSlash: worded(
    ({ was, should }) =>
      `La ruta se firmó como ${was}, con una barra de más o de menos. Firme ${should}.`,
  ),
  signedPathCase: worded(
    ({ was, should }) => `La ruta se firmó con otras mayúsculas: ${was}. Firme ${should}.`,
  ),
  signedVersion: worded(
    ({ was, should }) => `Se firmó la ruta ${was}, pero se llamó a ${should}. Firme la que llama.`,
  ),
  signedPath: worded(({ was, should }) => `La ruta se firmó como ${was}. Firme ${should}.`),
  signedDigest: worded(
    ({ was, should }, fault) =>
      `Se firmó otro Content-MD5: ${was}${rewriteOf(fault)}; se envió ${should}. Calcúlelo una vez, de los bytes que envía, y úselo para ambos.`,
  ),
  signedBody: () => 'Se firmó el cuerpo mismo en lugar de Content-MD5. Firme el resumen.',
  keyLineEnd: () =>
    'El KeySecret tenía un salto de línea, como al leerlo de un archivo. Recórtelo.',
  keySpace: () => 'El KeySecret tenía espacios alrededor, o los tiene aquí. Recórtelos.',
  keyDecoded: worded(
    ({ was }) => `El KeySecret se decodificó (${was}). La clave es su texto en UTF-8.`,
  ),
  keyEncoded: worded(
    ({ was }) => `El KeySecret se codificó (${was}). La clave es su texto en UTF-8.`,
  ),
  keyHashed: worded(
    ({ was }) => `Se hizo un resumen del KeySecret (${was}). La clave es su texto en UTF-8.`,
  ),
  keyCase: () => 'Se cambiaron mayúsculas y minúsculas del KeySecret. Úselo como se mostró.',
  keyQuotes: () => 'El KeySecret tenía comillas alrededor. Quítelas.',
  keyBom: () =>
    'El KeySecret tenía una marca de orden de bytes (BOM), como al leerlo de un archivo. Quítela.',
  keySuffix: worded(
    ({ was }) =>
      `Se añadió «${was}» al KeySecret, como piden otros servicios. Use solo el KeySecret.`,
  ),
  keyIsKeyId: () => 'Se usó el KeyID como clave. Use el KeySecret.',
  keyCharset: worded(({ was }) => `El KeySecret se usó en ${was}. Use UTF-8.`),
  keyLetter: worded(
    ({ place, was, should }) =>
      `El carácter ${place} del KeySecret es otro: el programa tiene ${was}; aquí es ${should}.`,
  ),
  keyTurned: worded(
    ({ place }) =>
      `Los caracteres ${place} y ${place + 1} del KeySecret están intercambiados, en el programa o aquí.`,
  ),
  keyShort: () => 'En el programa falta un carácter del KeySecret, o el KeySecret entero.',
  algorithm: worded(({ was }) => `Se firmó con ${was}. Use HMAC-SHA1.`),
  noHmac: worded(
    ({ was }) => `La firma es un simple resumen ${was}. Use HMAC-SHA1 con el KeySecret como clave.`,
  ),
  swapped: () =>
    'Al llamar a HMAC se intercambiaron la clave y el texto. La clave es el KeySecret.',
  otherSecret: () => 'Los dos textos son iguales; por tanto, el programa usa otro KeySecret.',
  ownText: () =>
    'Su texto da esta firma: el KeySecret es correcto y el texto difiere del del servicio. Vea abajo los bytes marcados.',
  tooLong: worded(
    ({ part, should }) =>
      `${part} es demasiado largo para examinarlo: aquí caben ${should} caracteres.`,
  ),
  unknown: () =>
    'Ningún error habitual da esta firma; probablemente se hizo con otro KeySecret. Para estar seguro, pegue el texto que firma su programa.',
  digestHex: worded(
    (_, fault) =>
      `Content-MD5 está en hexadecimal${rewriteOf(fault)}. Codifique en base64 los 16 bytes del resumen.`,
  ),
  digestHexBase64: worded(
    (_, fault) =>
      `Content-MD5 es base64 de cifras hexadecimales${rewriteOf(fault)}. Codifique los 16 bytes del resumen mismos.`,
  ),
  digestUrlSafe: () =>
    'Content-MD5 está en base64 para URL, con - y _. Use el alfabeto usual con + y /, con == al final.',
  digestPadding: () => 'A Content-MD5 le falta el relleno. Acaba en ==.',
  digestCase: () => 'Se cambiaron mayúsculas y minúsculas de Content-MD5. Base64 las distingue.',
  digestAlgorithm: worded(
    ({ part, should }) => `Content-MD5 es un resumen ${part}. Use MD5: ${should}.`,
  ),
  digestEmpty: worded(
    ({ should }) => `Content-MD5 está vacío, pero hay un cuerpo. Envíe ${should}.`,
  ),
  bodyRewritten: ({ rewrite, should = '' }) =>
    `Content-MD5 es del cuerpo ${rewrites[rewrite ?? 'empty']}: después de calcularlo, una biblioteca o un proxy escribió el cuerpo de nuevo. Calcule el resumen de los bytes que se envían (${should}), o envíe los bytes de los que lo calculó.`,
  bodyOther: worded(
    ({ was, should }) =>
      `Content-MD5 es ${was}, pero el resumen de este cuerpo es ${should}. Calcúlelo de los bytes que se envían.`,
  ),
  rewrittenOnTheWay: ({ rewrite, was = '' }) =>
    `El cuerpo llegó ${rewrite === undefined ? `cambiado (su resumen allí es ${was})` : rewrites[rewrite]}: una biblioteca o un proxy lo escribió de nuevo por el camino. Haga que lo pase tal cual.`,
  headerRewritten: worded(
    ({ part, was, should }) =>
      `El servicio recibió «${was}» como ${partOf(part)}, pero se envió «${should}»: una biblioteca o un proxy lo cambió por el camino.`,
  ),
};

const es: Texts = {
  title: 'Depurador de firmas',
  notSignedIn: 'No ha iniciado sesión. Esta página funciona también sin ella.',
  signIn: 'Iniciar sesión',
  lead: 'Pegue una petición firmada que fue rechazada. Esta página encuentra el error y dice qué cambiar.',
  privacy:
    'Todo ocurre en este navegador. Ni el KeySecret ni la petición salen de él, y no se guarda nada.',
  paste: 'Petición',
  pasteLead: 'Un comando curl, una petición HTTP, sus cabeceras o una entrada de un archivo HAR.',
  example: 'Probar un ejemplo',
  clear: 'Vaciar todo',
  parts: 'Las partes de la petición',
  method: 'Método',
  target: 'Ruta, como se llamó',
  headers: 'Cabeceras, una por línea',
  body: 'Cuerpo',
  bodyLead: 'Exactamente como se envió. Un salto de línea al final cuenta.',
  keySecret: 'KeySecret',
  keySecretLead: 'Con él, los errores no se suponen: se prueban.',
  show: 'Mostrar el KeySecret',
  more: 'Qué más se sabe',
  keyId: 'KeyID de este KeySecret',
  ownText: 'El texto que firmó su programa',
  ownTextLead:
    'Los campos de texto pierden CR. Impreso como literal, "POST\\r\\n…", se lee como lo que representa.',
  answer: 'La respuesta del servicio',
  answerLead: 'Su JSON dice la hora del servidor y lo que llegó.',
  arrived: 'Cuándo llegó',
  arrivedLead: 'Por ejemplo 2026-11-06T05:01:09Z; vacío: ahora.',
  notATime: 'Esto no es una hora. Escríbala así: 2026-11-06T05:01:09Z.',
  profile: 'Con qué rigor comprueba el servicio',
  profiles: {
    compatible: 'como necesitan los programas existentes (lo usual)',
    strict: 'estrictamente según la especificación',
  },
  check: 'Encontrar el error',
  nothing: 'Pegue primero una petición, o escriba sus partes.',
  result: 'Lo que se encontró',
  right: 'El servicio acepta esta firma.',
  rightLead:
    'Si aun así fue rechazada, el motivo es otro: el estado de la clave, sus direcciones o una petición enviada dos veces. La respuesta dice cuál.',
  unchecked: 'Sin el KeySecret no se comprobó la firma misma.',
  noForm: 'La forma de la petición es correcta; más no se puede decir.',
  noFormLead:
    'Indique el KeySecret o el texto que firmó su programa: con uno de los dos, esta página averigua qué pasa con la firma.',
  proofs: {
    signature: 'Probado: esto da exactamente su firma.',
    digest: 'Probado: esto da exactamente su resumen.',
    form: 'Se ve en la petición.',
    time: 'Calculado por la hora.',
    none: 'No es seguro.',
  },
  compare: 'El texto que se firma, byte a byte',
  service: 'El servicio forma',
  yours: 'Usted firmó',
  yoursUnknown: 'Lo que usted firmó se muestra cuando se encuentra, o cuando lo pega.',
  same: 'Los dos son iguales, byte a byte.',
  difference: (at, service, yours) =>
    `La primera diferencia está en el byte ${at}: el servicio tiene ${service}; usted, ${yours}.`,
  end: 'el final',
  legend:
    'Los bytes invisibles llevan su nombre: LF, CR, TAB, NBSP (espacio duro), BOM (marca de orden de bytes); · es un espacio.',
  expected: 'Lo que espera el servicio',
  expectedMd5: 'Content-MD5 de este cuerpo',
  expectedSign: 'Firma de estas cabeceras',
  unreadable: {
    notARequest: 'Esto no es una petición: ni un comando curl, ni HTTP, ni cabeceras, ni HAR.',
    notAHeader: 'Una línea no es una cabecera:',
    chunked: 'El cuerpo va en trozos. Capture la petición con Content-Length.',
    incomplete: 'El cuerpo es más corto de lo que dice Content-Length.',
    quoteOpen: 'Una comilla del comando no está cerrada.',
    bodyInFile: 'El cuerpo está en un archivo. Ponga su contenido en lugar del nombre:',
    tooLong: 'Es demasiado largo para ser una petición.',
    noAddress: 'El comando no nombra ninguna dirección.',
    notHar: 'Este JSON no contiene ninguna petición de un archivo HAR.',
  },
  sentences,
};
export default es;
