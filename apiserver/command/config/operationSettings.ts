import {
  defaultServerOptions as defaults,
  logFormats,
} from '../../runtime/options/serverOptions.ts'
import { setting, type Setting } from './setting.ts'
import { choice, httpAddress, onOrOff, perMillion } from './valueKinds.ts'

/** Settings for monitoring a server. */
export const operationSettings: readonly Setting[] = [
  setting('logFormat', {
    kind: choice(logFormats),
    description:
      'Format of log lines. text: for people. json: one object per line. Unset: text if standard error is a terminal, ' +
      'otherwise json.',
    assign: (draft, value) => void (draft.logFormat = value),
  }),
  setting('profiling', {
    kind: onOrOff,
    default: String(defaults.profiling),
    description:
      'Serve CPU profiles at /debug/pprof/profile and heap snapshots at /debug/pprof/heap to users with the right to ' +
      'get these paths. A heap snapshot contains all secrets in memory, and stops the server while it is taken.',
    assign: (draft, value) => void (draft.profiling = value),
  }),
  setting('tracing.endpoint', {
    kind: httpAddress,
    description:
      'Base URL of an OpenTelemetry collector, such as http://127.0.0.1:4318. Each request is a span, sent to ' +
      '/v1/traces below it as JSON; a traceparent header of the client is continued. Unset: no traces.',
    assign: (draft, value) => void (draft.tracing.endpoint = value),
  }),
  setting('tracing.samplingRatePerMillion', {
    kind: perMillion,
    default: defaults.tracing.samplingRatePerMillion,
    description: 'Number of requests in a million to trace if the client does not ask for a trace.',
    assign: (draft, value) => void (draft.tracing.samplingRatePerMillion = value),
  }),
]
