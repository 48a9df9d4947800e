/**
 * Records the real kube-apiserver's responses to the steps of a recording: `npx tsx
 * test/differential/recordAdmission/main.ts NAME`. Responses to steps without a name are not
 * written.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Workspace } from '../../conformance/support/workspace.ts'
import {
  readRecording,
  recordingsFolder,
  shownMessage,
  shownPart,
  type RecordedAnswer,
  type RecordedStep,
} from '../../support/tables/admissionRecordings.ts'
import type { Answer } from '../call.ts'
import { realAdmission } from '../realServer/admission/admissionSetup.ts'
import { realPrograms } from '../realServer/servers/programs.ts'
import { startRealServer } from '../realServer/servers/realServer.ts'
import { answerOf } from '../realServer/recordedSteps.ts'

const [file = ''] = process.argv.slice(2)
const steps = readRecording(file)
const programs = realPrograms()
if (typeof programs === 'string') throw new Error(programs)
const workspace = new Workspace()
process.once('exit', () => workspace.close())
const folder = workspace.folder('recording')
const admission = { enabled: ['NodeRestriction', 'RuntimeClass'], disabled: ['ServiceAccount'] }
const real = await startRealServer(programs, folder, realAdmission(admission, folder))
const recorded: RecordedStep[] = []
for (const step of steps) {
  const answer = await answerOf(real.side, step)
  if (step.name === undefined && answer.status >= 300) {
    process.stderr.write(`${step.method} ${step.path}: ${answer.status} ${answer.body}\n`)
  }
  recorded.push(step.name === undefined ? step : { ...step, want: wantOf(step, answer) })
}
await real.stop()
writeFileSync(join(recordingsFolder, `${file}.json`), `${JSON.stringify(recorded, undefined, 1)}\n`)
process.exit(0)

function wantOf({ show }: RecordedStep, { status, headers, body }: Answer): RecordedAnswer {
  const object = JSON.parse(body) as { message?: string; reason?: string }
  const warning = headers['warning']
  return {
    status,
    ...(status < 400 ? {} : { message: String(shownMessage(object.message)) }),
    ...(object.reason === undefined || status < 400 ? {} : { reason: object.reason }),
    ...(show === undefined ? {} : { object: shownPart(object, show) }),
    ...(warning === undefined ? {} : { warnings: warning.split(/, (?=299)/) }),
  }
}
