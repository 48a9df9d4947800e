#!/usr/bin/env node
import process from 'node:process'
import { programAt, versionLine } from './base/program.ts'

process.stdout.on('error', () => process.exit(0)) // closed pipe, as with `| head`
const words = process.argv.slice(2)
if (words.length === 1 && words[0] === '--version') {
  // Handled first, since it needs no parser and no other module.
  process.stdout.write(`${versionLine(programAt(process.argv[1] ?? ''))}\n`)
} else {
  const { keepCompiledCode } = await import('./context/compiledCode.ts')
  keepCompiledCode(process)
  // Loaded afterwards, so that its compiled code is cached, too.
  const { run } = await import('./run.ts')
  process.exit(await run(process))
}
