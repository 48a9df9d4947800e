#!/usr/bin/env node
import process from 'node:process'
import { issueAhead } from './http/certificateRequest.ts'
import { runCommand, type Surroundings } from './command/command.ts'
import { holdYoungGeneration, setUpEngine } from './command/engine.ts'
import { lastResort } from './runtime/lastResort.ts'
import { createLogger } from './runtime/logging.ts'
import { realClock } from './runtime/realClock.ts'
import { realRandom } from './runtime/realRandom.ts'

setUpEngine()

let failureCode = 0
const unheard = lastResort(process, createLogger({ level: 'error', clock: realClock }))

const surroundings: Surroundings = {
  env: process.env,
  writeOut: (text) => new Promise((done) => process.stdout.write(text, () => done())),
  writeError: (text) => void process.stderr.write(text),
  stopRequested: Promise.race([stopSignal(), unheard.broken.then(() => void (failureCode = 1))]),
  startServer: async (options) => {
    const firstCertificates = issueAhead(options, { clock: realClock, random: realRandom })
    const { startServer } = await import('./server.ts') // so that --help is quick
    const server = await startServer(options, {
      firstCertificates,
      uncaughtErrors: () => unheard.count(),
    })
    holdYoungGeneration()
    return server
  },
}

process.stdout.on('error', () => undefined) // a closed pipe must not stop the server
const code = await runCommand(process.argv.slice(2), surroundings)
process.exit(code === 0 ? failureCode : code)

/** Resolves at the first SIGTERM or SIGINT; a second one exits immediately. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const onSignal = () => {
      if (asked) process.exit(1)
      asked = true
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}
