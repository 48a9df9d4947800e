/** Writes the descriptions of the built-in definitions into `dist/`, as worded in the packages that they come from. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { wordsFile } from '../../apiserver/runtime/kubernetesWords/kubernetesWords.ts'
import { packageWords } from '../../apiserver/runtime/kubernetesWords/packageWords.ts'

const words = packageWords(new URL('../../node_modules/', import.meta.url))
mkdirSync('dist', { recursive: true })
writeFileSync(`dist/${wordsFile}`, gzipSync(JSON.stringify(words)))
