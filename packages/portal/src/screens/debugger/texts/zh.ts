import { worded, type Fault, type FaultSentences, type Rewrite } from '@helioport/sdk/diagnosis';
import type { Texts } from './en.ts';

const rewrites: Record<Rewrite, string> = {
  compact: '不含空白',
  spaced: '以 ", " 和 ": " 分隔',
  indented: '带缩进换行',
  sorted: '键已排序',
  escaped: '非 ASCII 字符的转义不同',
  slashes: '斜杠写作 \\/',
  lineFeedAdded: '末尾多一个换行',
  lineFeedRemoved: '去掉了首尾空白',
  crlf: '行尾为 CRLF',
  lf: '以 LF 代替 CRLF，或没有换行',
  bomAdded: '开头带字节顺序标记 (BOM)',
  bomRemoved: '去掉了字节顺序标记 (BOM)',
  latin1: '采用 ISO 8859-1 编码',
  utf16: '采用 UTF-16 编码',
  quoted: '两次编码为 JSON',
  singleQuotes: '带单引号（Python 打印的形式）',
  form: '表单形式',
  emptyObject: '空对象 {}',
  empty: '空',
};

const rewriteOf = ({ rewrite }: Fault): string =>
  rewrite === undefined ? '' : `（正文：${rewrites[rewrite]}）`;
const partOf = (part: string): string =>
  part === 'path' ? '路径' : part === 'method' ? '方法' : part;

const sentences: FaultSentences = {
  query: worded(({ was }) => `地址带有查询串 (?${was})，签名无法涵盖它。请把所有内容放入正文。`),
  pathSlash: worded(({ was, should }) => `路径 ${was} 多了一个斜杠。请调用并签名 ${should}。`),
  pathForm: worded(
    ({ was }) => `${was} 不是本接口的路径：路径以 /v1/api/ 或 /v2/api/ 开头，不含转义和点段。`,
  ),
  method: worded(({ was }) => `方法是 ${was}。请发送 POST；签名串的第一行始终是 POST。`),
  contentType: worded(({ was, should }) => `Content-Type 是“${was}”。请发送 ${should}。`),
  contentEncoding: worded(({ was }) => `正文声明为已压缩 (Content-Encoding: ${was})。请原样发送。`),
  headerMissing: worded(({ part }) => `缺少标头 ${part}。`),
  headerTwice: worded(
    ({ part }) => `标头 ${part} 发送了多次。请只发送一次；可能是库或代理又加了一个。`,
  ),
  invisible: worded(({ part, was }) => `${partOf(part)} 含有不可见字符：${was}。请删除。`),
  notExpanded: worded(
    ({ part, was }) => `${part} 中仍有 ${was}：命令行没有代入变量的值。请使用双引号。`,
  ),
  bearer: () => '这是 Bearer 令牌。本接口只接受签名请求；令牌用于 OAuth 接口。',
  basic: () => '这是 HTTP Basic。请把 Authorization 写成 API <KeyID>:<sign>。',
  scheme: worded(
    ({ was }) => `Authorization 以“${was}”开头。请依次写 API、一个空格、KeyID、冒号和签名。`,
  ),
  schemeCase: worded(({ was }) => `Authorization 以“${was}”开头。API 要大写，后面一个空格。`),
  separator: worded(({ was }) => `KeyID 与签名之间是“${was}”。请写一个冒号，不加空格。`),
  brackets: () => 'Authorization 带有引号或括号。请写 API KeyID:sign，不要加它们。',
  keyIdForm: worded(({ was }) => `“${was}”不是 KeyID：它只由字母和数字组成。`),
  keyIdOther: worded(
    ({ was, should }) => `请求中的 KeyID 是 ${was}，而该 KeySecret 属于 ${should}。`,
  ),
  signHex: () => '签名是十六进制。请把 HMAC 的 20 个字节编码为 Base64。',
  signHexBase64: () => '签名是十六进制文本的 Base64。请直接编码 HMAC 的 20 个字节。',
  signUrlSafe: () => '签名使用了带 - 和 _ 的 URL 安全 Base64。请使用带 + 和 / 的普通字母表。',
  signPadding: () => '签名缺少填充。它以 = 结尾，共 28 个字符。',
  signPercent: () => '签名经过了百分号编码 (%2B、%2F、%3D)。标头中应保持原样。',
  signPlus: () => '签名中的 + 变成了空格，如同表单。标头中应保持原样。',
  signCase: () => '签名的大小写被改变了。Base64 区分大小写。',
  signForm: () => '签名不是 20 个字节的 Base64。',
  dateForm: worded(
    ({ was, should }) =>
      `“${was}”不是有效的 Date。请写成 ${should === '' ? 'Fri, 6 Nov 2026 05:01:09 GMT' : should}。`,
  ),
  dateWeekday: worded(({ was, should }) => `“${was}”的星期与日期不符。应为 ${should}。`),
  clock: worded(
    ({ time, isAhead }) =>
      `Date 比服务器时间${isAhead ? '快' : '慢'} ${time}；允许 0:15:00。请校准时钟，或加上差值。`,
  ),
  zone: worded(
    ({ time, isAhead }) =>
      `Date ${isAhead ? '快' : '慢'}了 ${time}，像是某个时区的本地时间。请使用 GMT 时间。`,
  ),
  crlf: () => '五个部分用 CRLF 连接。请只用一个换行符 (LF) 连接。',
  cr: () => '五个部分用 CR 连接。请只用一个换行符 (LF) 连接。',
  notJoined: () => '五个部分之间没有任何分隔。请在它们之间放换行符 (LF)。',
  joinedOtherwise: worded(({ was }) => `五个部分用“${was}”连接。请用换行符 (LF) 连接。`),
  literalLineFeed: () =>
    '五个部分用 \\n 这两个字符连接。请使用真正的换行符 (LF)，例如用 printf 或双引号。',
  endsWithLineFeed: () => '签名串末尾有换行。请去掉；echo 会加换行，printf 不会。',
  emptyLine: () => '签名串中有空行。它共五行，中间没有空行。',
  order: worded(
    ({ was }) => `各部分的顺序不同：${was}。顺序应为 POST、Content-MD5、Content-Type、Date、路径。`,
  ),
  partLeftOut: worded(({ part }) => `签名串缺少一个部分：${partOf(part)}。`),
  quotedText: () => '签名串带着引号或转义被签名。请签名其文本本身。',
  caseOfText: () => '签名串在签名前被改成了全大写或全小写。请原样签名。',
  percentText: () => '签名串在签名前经过了百分号编码。请原样签名。',
  charset: worded(({ was }) => `签名串以 ${was} 编码签名。请使用不带字节顺序标记的 UTF-8。`),
  signedMethod: worded(({ was }) => `签名串的第一行是“${was}”。它始终是大写的 POST。`),
  signedContentType: worded(
    ({ was, should }) =>
      `签名时 Content-Type 是“${was}”，发送的却是“${should}”。请签名您发送的内容。`,
  ),
  signedDateForm: worded(
    ({ was, should }) => `签名时 Date 是“${was}”，发送的却是“${should}”。两处请用同一文本。`,
  ),
  signedDateOther: worded(
    ({ time, was }) =>
      `签名用了另一个 Date：“${was}”，相差 ${time}。请只取一次时间，两处使用同一文本。`,
  ),
  signedDateZone: worded(
    ({ time, was, should }) =>
      `签名时 Date 是“${was}”，与发送的“${should}”相差 ${time}：其中之一在另一时区。两处请都用 GMT。`,
  ),
  signedQuery: worded(
    ({ was, should }) => `路径连同查询串一起签名了：${was}。请只签名 ${should}。`,
  ),
  signedAddress: worded(({ was, should }) => `签名了完整地址：${was}。请只签名路径 ${should}。`),
  signedPrefix: worded(
    ({ was, should }) => `路径带着前缀签名：${was}。代理会去掉前缀，请签名服务看到的 ${should}。`,
  ),
  signedNoPrefix: worded(({ was, should }) => `路径签名为“${was}”。请签名完整路径：${should}。`),
  signedSlash: worded(
    ({ was, should }) => `路径签名为 ${was}，多了或少了一个斜杠。请签名 ${should}。`,
  ),
  signedPathCase: worded(({ was, should }) => `路径以不同的大小写签名：${was}。请签名 ${should}。`),
  signedVersion: worded(
    ({ was, should }) => `签名的路径是 ${was}，调用的却是 ${should}。请签名您调用的路径。`,
  ),
  signedPath: worded(({ was, should }) => `路径签名为 ${was}。请签名 ${should}。`),
  signedDigest: worded(
    ({ was, should }, fault) =>
      `签名用了另一个 Content-MD5：${was}${rewriteOf(fault)}；发送的是 ${should}。请用发送的字节计算一次，两处使用同一个值。`,
  ),
  signedBody: () => '签名串中放的是正文而不是 Content-MD5。请签名摘要。',
  keyLineEnd: () => 'KeySecret 带有换行，如同从文件读取时那样。请去掉。',
  keySpace: () => 'KeySecret 前后有空白，或此处带有空白。请去掉。',
  keyDecoded: worded(({ was }) => `KeySecret 被解码了 (${was})。密钥应是其 UTF-8 文本。`),
  keyEncoded: worded(({ was }) => `KeySecret 被编码了 (${was})。密钥应是其 UTF-8 文本。`),
  keyHashed: worded(({ was }) => `KeySecret 被取了摘要 (${was})。密钥应是其 UTF-8 文本。`),
  keyCase: () => 'KeySecret 的大小写被改变了。请按显示的原样使用。',
  keyQuotes: () => 'KeySecret 带有引号。请去掉。',
  keyBom: () => 'KeySecret 带有字节顺序标记 (BOM)，如同从文件读取时那样。请去掉。',
  keySuffix: worded(
    ({ was }) => `KeySecret 后加了“${was}”，那是其他服务的做法。请只用 KeySecret。`,
  ),
  keyIsKeyId: () => '密钥用成了 KeyID。请使用 KeySecret。',
  keyCharset: worded(({ was }) => `KeySecret 以 ${was} 编码使用。请使用 UTF-8。`),
  keyLetter: worded(
    ({ place, was, should }) =>
      `KeySecret 的第 ${place} 个字符不同：程序中是 ${was}，此处是 ${should}。`,
  ),
  keyTurned: worded(
    ({ place }) => `KeySecret 的第 ${place} 和第 ${place + 1} 个字符颠倒了，在程序中或在此处。`,
  ),
  keyShort: () => '程序中的 KeySecret 少了一个字符，或整个缺失。',
  algorithm: worded(({ was }) => `签名使用了 ${was}。请使用 HMAC-SHA1。`),
  noHmac: worded(({ was }) => `签名只是 ${was} 摘要。请使用以 KeySecret 为密钥的 HMAC-SHA1。`),
  swapped: () => '调用 HMAC 时密钥与文本颠倒了。KeySecret 才是密钥。',
  otherSecret: () => '两个串完全相同，因此程序使用的是另一个 KeySecret。',
  ownText: () =>
    '您的串能得出这个签名，所以 KeySecret 正确，而串与服务的不同：请看下面标出的字节。',
  tooLong: worded(({ part, should }) => `${part} 过长，无法检查：这里最多 ${should} 个字符。`),
  unknown: () =>
    '没有常见错误能得出这个签名，很可能用了另一个 KeySecret。请粘贴程序签名的串以便确定。',
  digestHex: worded(
    (_, fault) => `Content-MD5 是十六进制${rewriteOf(fault)}。请把摘要的 16 个字节编码为 Base64。`,
  ),
  digestHexBase64: worded(
    (_, fault) =>
      `Content-MD5 是十六进制文本的 Base64${rewriteOf(fault)}。请直接编码摘要的 16 个字节。`,
  ),
  digestUrlSafe: () =>
    'Content-MD5 使用了带 - 和 _ 的 URL 安全 Base64。请使用带 + 和 / 的普通字母表，以 == 填充。',
  digestPadding: () => 'Content-MD5 缺少填充。它以 == 结尾。',
  digestCase: () => 'Content-MD5 的大小写被改变了。Base64 区分大小写。',
  digestAlgorithm: worded(
    ({ part, should }) => `Content-MD5 是 ${part} 摘要。请使用 MD5：${should}。`,
  ),
  digestEmpty: worded(({ should }) => `Content-MD5 为空，但有正文。请发送 ${should}。`),
  bodyRewritten: ({ rewrite, should = '' }) =>
    `Content-MD5 对应的正文是：${rewrites[rewrite ?? 'empty']}。计算摘要之后，库或代理重写了正文。请对发送的字节取摘要 (${should})，或发送取摘要时的字节。`,
  bodyOther: worded(
    ({ was, should }) =>
      `Content-MD5 是 ${was}，而此正文的摘要是 ${should}。请对发送的字节取摘要。`,
  ),
  rewrittenOnTheWay: ({ rewrite, was = '' }) =>
    `正文到达时${rewrite === undefined ? `已改变（那里的摘要是 ${was}）` : `变为：${rewrites[rewrite]}`}。库或代理在途中重写了它。请让它原样传递。`,
  headerRewritten: worded(
    ({ part, was, should }) =>
      `服务收到的${partOf(part)}是“${was}”，发送的却是“${should}”：库或代理在途中改变了它。`,
  ),
};

const zh: Texts = {
  title: '签名调试',
  notSignedIn: '您未登录。此页面无需登录也可使用。',
  signIn: '登录',
  lead: '粘贴被拒绝的签名请求。本页会找出错误，并说明要改什么。',
  privacy: '一切都在此浏览器中进行。KeySecret 和请求都不会离开浏览器，也不会保存任何内容。',
  paste: '请求',
  pasteLead: 'curl 命令、HTTP 请求、其标头，或 HAR 文件中的一条。',
  example: '试一个例子',
  clear: '全部清空',
  parts: '请求的各部分',
  method: '方法',
  target: '调用的路径',
  headers: '标头，每行一个',
  body: '正文',
  bodyLead: '与发送的完全一致。末尾的换行也算。',
  keySecret: 'KeySecret',
  keySecretLead: '有了它，错误就不是猜测，而是证明。',
  show: '显示 KeySecret',
  more: '其他已知信息',
  keyId: '此 KeySecret 的 KeyID',
  ownText: '您的程序签名的串',
  ownTextLead: '文本框会丢失 CR。以字面量 "POST\\r\\n…" 粘贴时，会按其含义读取。',
  answer: '服务的应答',
  answerLead: '其 JSON 说明服务器时间和到达的内容。',
  arrived: '到达时间',
  arrivedLead: '例如 2026-11-06T05:01:09Z；留空表示现在。',
  notATime: '这不是时间。请写成 2026-11-06T05:01:09Z。',
  profile: '服务检查的严格程度',
  profiles: { compatible: '兼容现有客户端（默认）', strict: '严格按规范' },
  check: '查找错误',
  nothing: '请先粘贴请求，或填写各部分。',
  result: '查找结果',
  right: '服务接受此签名。',
  rightLead:
    '如果仍被拒绝，原因在别处：密钥的状态、允许的地址，或请求被发送了两次。应答会说明是哪一个。',
  unchecked: '没有 KeySecret，未检查签名本身。',
  noForm: '请求的形式正确，除此之外无法判断。',
  noFormLead: '请提供 KeySecret，或您的程序所签名的字符串：有其中之一，本页面即可查明签名的问题。',
  proofs: {
    signature: '已证明：这恰好得出您的签名。',
    digest: '已证明：这恰好得出您的摘要。',
    form: '在请求中可见。',
    time: '由时间推算。',
    none: '不确定。',
  },
  compare: '签名串，逐字节',
  service: '服务构建的',
  yours: '您签名的',
  yoursUnknown: '找到或粘贴后，此处显示您签名的内容。',
  same: '两者逐字节相同。',
  difference: (at, service, yours) =>
    `第一处不同在第 ${at} 个字节：服务为 ${service}，您为 ${yours}。`,
  end: '结尾',
  legend: '不可见字节以名称表示：LF、CR、TAB、NBSP（不换行空格）、BOM（字节顺序标记）；· 是空格。',
  expected: '服务所期望的',
  expectedMd5: '此正文的 Content-MD5',
  expectedSign: '这些标头的签名',
  unreadable: {
    notARequest: '这不是请求：既不是 curl 命令，也不是 HTTP、标头或 HAR。',
    notAHeader: '有一行不是标头：',
    chunked: '正文是分块的。请用带 Content-Length 的方式捕获请求。',
    incomplete: '正文比 Content-Length 所说的短。',
    quoteOpen: '命令中有引号未闭合。',
    bodyInFile: '正文在文件中。请用其内容代替文件名：',
    tooLong: '内容过长，不像一个请求。',
    noAddress: '命令没有地址。',
    notHar: '此 JSON 中没有 HAR 文件的请求。',
  },
  sentences,
};
export default zh;
