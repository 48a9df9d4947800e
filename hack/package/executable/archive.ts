/** File of the program inside an executable. */
export interface ProgramFile {
  /** Relative path, with slashes. */
  path: string
  content: Buffer
}

/** All files as bytes: the length of the index in four bytes, the index as JSON, the contents. */
export function archiveOf(files: readonly ProgramFile[]): Buffer {
  const index = files.map(({ path, content }) => [path, content.length])
  const head = Buffer.from(JSON.stringify(index))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...files.map(({ content }) => content)])
}

/** Files of an archive. Contents share its memory. */
export function filesIn(archive: Buffer): ProgramFile[] {
  const start = 4 + archive.readUInt32LE(0)
  // Sound: `archiveOf` wrote it.
  const index = JSON.parse(archive.toString('utf8', 4, start)) as [path: string, length: number][]
  let position = start
  return index.map(([path, length]) => {
    const content = archive.subarray(position, position + length)
    position += length
    return { path, content }
  })
}
