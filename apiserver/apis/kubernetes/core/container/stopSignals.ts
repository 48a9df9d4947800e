import { forbiddenField, notSupportedField, type FieldError } from '../../../../meta/fieldErrors.ts'

const named =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'

/** Real-time signals count up from the first of them and down from the last. */
const counted = Array.from({ length: 31 }, (_, at) => {
  if (at <= 15) return at === 0 ? 'RTMIN' : `RTMIN+${at}`
  return at === 30 ? 'RTMAX' : `RTMAX-${30 - at}`
})

/** The signals that end a container, by the operating system of its pod, in the order of messages. */
const signals: Readonly<Record<string, readonly string[]>> = {
  linux: [...named.split(' '), ...counted].map((name) => `SIG${name}`).sort(),
  windows: ['SIGKILL', 'SIGTERM'],
}

const unknownSystem = 'may not be set for containers with empty `spec.os.name`'

/** Source: Kubernetes API reference, Lifecycle v1; seen on kube-apiserver 1.37.2. */
export function signalErrors(
  path: string,
  signal: string,
  system: string | undefined,
): FieldError[] {
  if (system === undefined) return [forbiddenField(path, unknownSystem)]
  const known = signals[system] ?? [signal]
  return known.includes(signal) ? [] : [notSupportedField(path, signal, known)]
}
