import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { Encryption } from '../../../apiserver/storage/encryption/encryption.ts'

interface Refused {
  name: string
  file: string
  /** Message of the real server; null: it starts. */
  error: string | null
}

// Recorded with kube-apiserver 1.37.2.
const recorded = JSON.parse(
  await readFile(new URL('refusedConfigurations.json', import.meta.url), 'utf8'),
) as Refused[]

describe('EncryptionConfiguration', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'encryption-'))
  })
  after(() => rm(folder, { recursive: true }))

  const errorOf = async (text: string): Promise<string | null> => {
    const path = join(folder, 'c.yaml')
    await writeFile(path, text)
    try {
      const opened = await Encryption.open({
        path,
        isReloaded: false,
        clock: realClock,
        random: realRandom,
      })
      opened.stop()
      return null
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(path, 'c.yaml') : String(error)
    }
  }

  for (const { name, file, error } of recorded) {
    it(`is refused as by the real server: ${name}`, async () => {
      // The real server shows the secret here.
      const wanted = error?.replace('"MDEyMzQ1Njc4OWFiY2RlZg=="', '"REDACTED"') ?? null
      // The words after the line number are specific to the parser.
      const compared = (text: string | null) =>
        text?.replace(/(: yaml: line \d+: ).*/, '$1') ?? null
      expect(compared(await errorOf(file))).to.equal(compared(wanted))
    })
  }

  it('is refused if the file is missing, with the reason', async () => {
    const path = join(folder, 'missing.yaml')
    const opening = Encryption.open({
      path,
      isReloaded: false,
      clock: realClock,
      random: realRandom,
    })
    const error: unknown = await opening.catch((thrown: unknown) => thrown)
    expect((error as Error).message).to.equal(
      'error while parsing file: error while loading file: error reading encryption provider ' +
        `configuration file "${path}": open ${path}: it does not exist`,
    )
  })
})
