import { listOf, mapOf, optionalOf, parameter, part, typeNamed, type CelType } from './types.ts'

/** One form of a function. */
export interface Overload {
  /** What its cost is reckoned by, where it is not that of the function. */
  id: string
  isMethod: boolean
  /** The receiver of a method comes first. */
  args: readonly CelType[]
  result: CelType
}

const numbers = ['int', 'uint', 'double']

const crossed = numbers.flatMap((a) => numbers.map((b) => `${a},${b} bool`))

/** Operators that order values; texts and bytes cost as much as they are long. */
const ordering = [
  ...['bool,bool bool', ...crossed],
  ...['string,string bool #less', 'bytes,bytes bool #less'],
  ...['timestamp,timestamp bool', 'duration,duration bool'],
]

const comparable = [
  ...['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'],
]

const ofTime = ['.timestamp int', '.timestamp,string int']
const ofTimeOrDuration = [...ofTime, '.duration int']

const formats = [
  ...['dns1123Label', 'dns1123Subdomain', 'dns1035Label', 'qualifiedName', 'labelValue', 'uri'],
  ...['dns1123LabelPrefix', 'dns1123SubdomainPrefix', 'dns1035LabelPrefix'],
  ...['uuid', 'byte', 'date', 'datetime'],
]

/** The functions and operators of the language and of the libraries that the API server loads: what each takes, then what
 *  it gives; a point marks a method, whose receiver is the first, and `#` the name of a form.
 *  Source: the language's definition, "List of standard definitions"; Kubernetes documentation, "CEL in Kubernetes". */
const table: Readonly<Record<string, readonly string[]>> = {
  '_&&_': ['bool,bool bool #logical'],
  '_||_': ['bool,bool bool #logical'],
  '!_': ['bool bool'],
  '@not_strictly_false': ['bool bool'],
  '_?_:_': ['bool,A,A A #conditional'],
  '_==_': ['A,A bool #equals'],
  '_!=_': ['A,A bool #equals'],
  '_<_': ordering,
  '_<=_': ordering,
  '_>_': ordering,
  '_>=_': ordering,
  '_+_': [
    ...['bytes,bytes bytes #addText', 'double,double double', 'duration,duration duration'],
    ...['duration,timestamp timestamp', 'timestamp,duration timestamp', 'int,int int'],
    ...['list(A),list(A) list(A) #addList', 'string,string string #addText', 'uint,uint uint'],
  ],
  '_-_': [
    ...['double,double double', 'duration,duration duration', 'int,int int'],
    ...['timestamp,duration timestamp', 'timestamp,timestamp duration', 'uint,uint uint'],
  ],
  '_*_': ['double,double double', 'int,int int', 'uint,uint uint'],
  '_/_': ['double,double double', 'int,int int', 'uint,uint uint'],
  '_%_': ['int,int int', 'uint,uint uint'],
  '-_': ['double double', 'int int'],
  '_[_]': [
    ...['list(A),int A #indexList', 'map(A,B),A B #indexMap'],
    ...['optional(list(A)),int optional(A)', 'optional(map(A,B)),A optional(B)'],
  ],
  '_[?_]': [
    ...['list(A),int optional(A)', 'optional(list(A)),int optional(A)'],
    ...['map(A,B),A optional(B)', 'optional(map(A,B)),A optional(B)'],
  ],
  '@in': ['A,list(A) bool #inList', 'A,map(A,B) bool'],
  size: [
    ...['bytes int', '.bytes int', 'list(A) int', '.list(A) int'],
    ...['map(A,B) int', '.map(A,B) int', 'string int', '.string int'],
  ],
  type: ['A type'],
  dyn: ['A dyn'],
  bool: ['bool bool', 'string bool'],
  bytes: ['bytes bytes', 'string bytes #textToBytes'],
  double: ['double double', 'int double', 'string double', 'uint double'],
  duration: ['duration duration', 'int duration', 'string duration'],
  int: ['int int', 'double int', 'duration int', 'string int', 'timestamp int', 'uint int'],
  string: [
    ...['string string', 'bool string', 'bytes string #bytesToText', 'double string'],
    ...['duration string', 'int string', 'timestamp string', 'uint string'],
    ...['net.IP string', 'net.CIDR string'],
  ],
  timestamp: ['timestamp timestamp', 'int timestamp', 'string timestamp'],
  uint: ['uint uint', 'double uint', 'int uint', 'string uint'],
  contains: ['.string,string bool #contains'],
  endsWith: ['.string,string bool #affix'],
  startsWith: ['.string,string bool #affix'],
  matches: ['string,string bool', '.string,string bool #matches'],
  getFullYear: ofTime,
  getMonth: ofTime,
  getDayOfYear: ofTime,
  getDayOfMonth: ofTime,
  getDate: ofTime,
  getDayOfWeek: ofTime,
  getHours: ofTimeOrDuration,
  getMinutes: ofTimeOrDuration,
  getSeconds: ofTimeOrDuration,
  getMilliseconds: ofTimeOrDuration,
  charAt: ['.string,int string'],
  indexOf: ['.string,string int', '.string,string,int int', '.list(A),A int'],
  lastIndexOf: ['.string,string int', '.string,string,int int', '.list(A),A int'],
  lowerAscii: ['.string string'],
  upperAscii: ['.string string'],
  trim: ['.string string'],
  replace: ['.string,string,string string', '.string,string,string,int string'],
  split: ['.string,string list(string)', '.string,string,int list(string)'],
  substring: ['.string,int string', '.string,int,int string'],
  format: ['.string,list(dyn) string #format'],
  join: ['.list(string) string', '.list(string),string string'],
  'strings.quote': ['string string #quote'],
  find: ['.string,string string'],
  findAll: ['.string,string list(string)', '.string,string,int list(string)'],
  isSorted: comparable.map((type) => `.list(${type}) bool`),
  sum: ['int', 'uint', 'double', 'duration'].map((type) => `.list(${type}) ${type}`),
  min: comparable.map((type) => `.list(${type}) ${type}`),
  max: comparable.map((type) => `.list(${type}) ${type}`),
  slice: ['.list(A),int,int list(A) #slice'],
  flatten: ['.list(list(A)) list(A) #flatten', '.list(dyn),int list(dyn) #flatten'],
  sort: comparable.map((type) => `.list(${type}) list(${type}) #sort`),
  '@sortByAssociatedKeys': comparable.map((type) => `.list(A),list(${type}) list(A) #sortBy`),
  'lists.range': ['int list(int) #range'],
  reverse: ['.list(A) list(A) #reverse'],
  distinct: ['.list(A) list(A) #distinct'],
  first: ['.list(A) optional(A)'],
  last: ['.list(A) optional(A)'],
  'cel.@mapInsert': ['map(A,B),A,B map(A,B)', 'map(A,B),map(A,B) map(A,B)'],
  'sets.contains': ['list(A),list(A) bool #sets'],
  'sets.equivalent': ['list(A),list(A) bool #sameSets'],
  'sets.intersects': ['list(A),list(A) bool #sets'],
  'optional.of': ['A optional(A)'],
  'optional.ofNonZeroValue': ['A optional(A)'],
  'optional.none': [' optional(A)'],
  'optional.unwrap': ['list(optional(A)) list(A)'],
  unwrapOpt: ['.list(optional(A)) list(A)'],
  value: ['.optional(A) A'],
  hasValue: ['.optional(A) bool'],
  or: ['.optional(A),optional(A) optional(A)'],
  orValue: ['.optional(A),A A'],
  url: ['string kubernetes.URL'],
  isURL: ['string bool'],
  getScheme: ['.kubernetes.URL string'],
  getHost: ['.kubernetes.URL string'],
  getHostname: ['.kubernetes.URL string'],
  getPort: ['.kubernetes.URL string'],
  getEscapedPath: ['.kubernetes.URL string'],
  getQuery: ['.kubernetes.URL map(string,list(string))'],
  ip: ['string net.IP', '.net.CIDR net.IP #ipOfRange'],
  isIP: ['string bool'],
  'ip.isCanonical': ['string bool'],
  family: ['.net.IP int'],
  isUnspecified: ['.net.IP bool'],
  isLoopback: ['.net.IP bool'],
  isLinkLocalMulticast: ['.net.IP bool'],
  isLinkLocalUnicast: ['.net.IP bool'],
  isGlobalUnicast: ['.net.IP bool'],
  cidr: ['string net.CIDR'],
  isCIDR: ['string bool'],
  containsIP: ['.net.CIDR,string bool #containsText', '.net.CIDR,net.IP bool'],
  containsCIDR: ['.net.CIDR,string bool #containsText', '.net.CIDR,net.CIDR bool'],
  prefixLength: ['.net.CIDR int'],
  masked: ['.net.CIDR net.CIDR'],
  quantity: ['string kubernetes.Quantity'],
  isQuantity: ['string bool'],
  sign: ['kubernetes.Quantity int'],
  isGreaterThan: [
    '.kubernetes.Quantity,kubernetes.Quantity bool',
    '.kubernetes.Semver,kubernetes.Semver bool',
  ],
  isLessThan: [
    '.kubernetes.Quantity,kubernetes.Quantity bool',
    '.kubernetes.Semver,kubernetes.Semver bool',
  ],
  compareTo: [
    '.kubernetes.Quantity,kubernetes.Quantity int',
    '.kubernetes.Semver,kubernetes.Semver int',
  ],
  asApproximateFloat: ['.kubernetes.Quantity double'],
  asInteger: ['.kubernetes.Quantity int'],
  isInteger: ['.kubernetes.Quantity bool'],
  add: [
    '.kubernetes.Quantity,kubernetes.Quantity kubernetes.Quantity',
    '.kubernetes.Quantity,int kubernetes.Quantity',
  ],
  sub: [
    '.kubernetes.Quantity,kubernetes.Quantity kubernetes.Quantity',
    '.kubernetes.Quantity,int kubernetes.Quantity',
  ],
  semver: ['string kubernetes.Semver', 'string,bool kubernetes.Semver'],
  isSemver: ['string bool', 'string,bool bool'],
  major: ['.kubernetes.Semver int'],
  minor: ['.kubernetes.Semver int'],
  patch: ['.kubernetes.Semver int'],
  validate: ['.kubernetes.NamedFormat,string optional(list(string))'],
  'format.named': ['string optional(kubernetes.NamedFormat)'],
  ...Object.fromEntries(formats.map((name) => [`format.${name}`, [' kubernetes.NamedFormat']])),
}

const authorization = 'kubernetes.authorization'

/** Source: Kubernetes documentation, "CEL in Kubernetes", authorizer library. */
const authorizing: Readonly<Record<string, readonly string[]>> = {
  path: [`.${authorization}.Authorizer,string ${authorization}.PathCheck`],
  group: [`.${authorization}.Authorizer,string ${authorization}.GroupCheck`],
  serviceAccount: [`.${authorization}.Authorizer,string,string ${authorization}.Authorizer`],
  resource: [`.${authorization}.GroupCheck,string ${authorization}.ResourceCheck`],
  ...Object.fromEntries(
    ['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'].map((name) => [
      name,
      [`.${authorization}.ResourceCheck,string ${authorization}.ResourceCheck`],
    ]),
  ),
  check: ['PathCheck', 'ResourceCheck'].map(
    (name) => `.${authorization}.${name},string ${authorization}.Decision`,
  ),
  allowed: [`.${authorization}.Decision bool`],
  reason: [`.${authorization}.Decision string`],
  errored: [`.${authorization}.Decision bool`],
  error: [`.${authorization}.Decision string`],
}

const read = new Map<string, readonly Overload[]>()

/** The forms of a function in their order; undefined: there is no such function. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  const found = read.get(name)
  const known = Object.hasOwn(table, name) ? table : authorizing
  if (found !== undefined || !Object.hasOwn(known, name)) return found
  const made = (known[name] ?? []).map(overload)
  read.set(name, made)
  return made
}

function overload(text: string): Overload {
  const [args = '', result = 'dyn', id = ''] = text.split(' ')
  const isMethod = args.startsWith('.')
  const plain = isMethod ? args.slice(1) : args
  return { id: id.slice(1), isMethod, args: typesOf(plain), result: part(tuple(result), 0) }
}

function typesOf(text: string): readonly CelType[] {
  return text === '' ? [] : tuple(text).of
}

/** Types between commas. */
function tuple(text: string): CelType {
  const texts = text.match(/[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?/g) ?? []
  return { kind: 'opaque', name: 'tuple', of: texts.map(typeOf) }
}

function typeOf(text: string): CelType {
  const [, name = text, inner = ''] = /^([\w.]+)\((.*)\)$/.exec(text) ?? []
  const { of } = tuple(inner)
  const [first, second] = of
  if (first === undefined) return /^[A-Z]$/.test(name) ? parameter(name) : typeNamed(name)
  if (second !== undefined) return mapOf(first, second)
  return name === 'list' ? listOf(first) : optionalOf(first)
}
