#!/usr/bin/env node
import { dirname, extname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { issueAhead } from './http/certificateRequest.ts'
import { runCommand, type Surroundings } from './command/command.ts'
import { holdYoungGeneration, setUpEngine } from './command/engine.ts'
import { launcherEnded } from './command/launcherEnded.ts'
import { lastResort } from './runtime/lastResort.ts'
import { createLogger } from './runtime/logging.ts'
import { realClock } from './runtime/realClock.ts'
import { realRandom } from './runtime/realRandom.ts'

let failureCode = 0
const unheard = lastResort(process, createLogger({ level: 'error', clock: realClock }))

const surroundings: Surroundings = {
  env: process.env,
  writeOut: (text) => new Promise((done) => process.stdout.write(text, () => done())),
  writeError: (text) => void process.stderr.write(text),
  stopRequested: Promise.race([
    stopSignal(),
    launcherEnded(process),
    unheard.broken.then(() => void (failureCode = 1)),
  ]),
  runKubeApiserver: async (args, describe) => {
    const { runKubeApiserver } = await import('./kubeApiserver/runKubeApiserver.ts')
    return runKubeApiserver(args, { ...surroundings, describe, beforeServing: setUpEngine })
  },
  writeEnvtest: async (folder) => {
    const { writeAssets } = await import('./kubeApiserver/envtest/writeAssets.ts')
    return writeAssets(folder, assetPrograms(), process.env['PATH'] ?? '')
  },
  startServer: async (options) => {
    const firstCertificates = issueAhead(options, { clock: realClock, random: realRandom })
    const { startServer } = await import('./server.ts') // loaded on demand, for a quick --help
    setUpEngine()
    const server = await startServer(options, {
      firstCertificates,
      uncaughtErrors: () => unheard.count(),
    })
    holdYoungGeneration()
    return server
  },
  examine: async (options) => {
    const { examine } = await import('./doctor/examine.ts')
    return examine(options, realClock)
  },
  migrateStorage: async (options, move) => {
    const log = createLogger({ level: options.logLevel, clock: realClock })
    const around = { clock: realClock, random: realRandom, log }
    if (move !== undefined) {
      const { moveStorage } = await import('./platform/storage/moveStorage.ts')
      return moveStorage(move, options, around)
    }
    const { migrateStorage } = await import('./platform/storage/storageMigrate.ts')
    return migrateStorage(options, around)
  },
}

process.stdout.on('error', () => undefined) // a closed pipe must not stop the server
const code = await runCommand(process.argv.slice(2), surroundings)
process.exit(code === 0 ? failureCode : code)

/** Programs beside this one. Their file names in the sources differ from the names in `dist/`. */
function assetPrograms() {
  const main = fileURLToPath(import.meta.url)
  const etcd = join(dirname(main), 'kubeApiserver', 'envtest', `etcd${extname(main)}`)
  return { node: [process.execPath, ...process.execArgv], main, etcd }
}

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
