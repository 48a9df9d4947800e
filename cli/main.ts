#!/usr/bin/env node
import process from 'node:process'
import { keepCompiledCode } from './context/compiledCode.ts'

keepCompiledCode(process)
process.stdout.on('error', () => process.exit(0)) // a closed pipe, as of `| head`
// Loaded afterwards, so that its compiled code is kept too.
const { run } = await import('./run.ts')
process.exit(await run(process))
