#!/usr/bin/env node
import process from 'node:process'
import { run } from './run.ts'

process.stdout.on('error', () => process.exit(0)) // a closed pipe, as of `| head`
process.exit(await run(process))
