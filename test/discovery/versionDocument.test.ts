import { expect } from 'chai'
import { kubernetesVersion } from '../../apiserver/discovery/kubernetesVersion.ts'
import { versionDocument } from '../../apiserver/discovery/versionDocument.ts'

describe('versionDocument (reference 6.8)', () => {
  const build = {
    serverVersion: '0.1.0',
    gitCommit: 'abc',
    buildDate: '2026-01-01T00:00:00Z',
    platform: 'linux/amd64',
    runtime: 'node20.20.0',
  }

  const [, minor = NaN, patch] = kubernetesVersion.split('.').map(Number)

  it('has a Kubernetes version that clients can compare, indented by two', () => {
    expect(versionDocument(build).toString()).to.equal(
      `{
  "major": "1",
  "minor": "${minor}",
  "emulationMajor": "1",
  "emulationMinor": "${minor}",
  "minCompatibilityMajor": "1",
  "minCompatibilityMinor": "${minor - 1}",
  "gitVersion": "v1.${minor}.${patch}+0.1.0",
  "gitCommit": "abc",
  "gitTreeState": "clean",
  "buildDate": "2026-01-01T00:00:00Z",
  "goVersion": "node20.20.0",
  "compiler": "tsc",
  "platform": "linux/amd64"
}`,
    )
  })

  it('has a single plus sign for every server version', () => {
    const text = versionDocument({ ...build, serverVersion: '0.2.0-rc.1+git_5' }).toString()
    expect(text).to.contain(`"gitVersion": "${kubernetesVersion}+0.2.0-rc.1.git.5"`)
  })
})
