import type { ReactNode } from 'react'
import { text, type ApiObject } from '../api/objects.ts'
import { href } from '../shell/route.ts'

/** Link to the page of a project. @param children facts about it. */
export function ProjectTile({ project, children }: { project: ApiObject; children: ReactNode }) {
  const { name } = project.metadata
  return (
    <a className="card tile" href={href(['projects', name])}>
      <strong className="wrap">{text(project, 'spec', 'displayName') || name}</strong>
      <span className="muted wrap">{text(project, 'spec', 'description') || name}</span>
      {children}
    </a>
  )
}
