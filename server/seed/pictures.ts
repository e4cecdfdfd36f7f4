import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { Library } from '../media/library.ts'
import { openStorage } from '../media/open-storage.ts'
import { halftone } from './halftone.ts'
import type { Pictures } from './publications.ts'
import type { Scene } from './scenes.ts'

interface Drawing {
  newsletterId: string
  ownerId: string
  accent: string
  scenes: Iterable<Scene>
}

/** Draws each scene in the accent colour of the newsletter and stores it as media. */
export async function drawPictures(
  { config, log }: Context,
  db: Db,
  { newsletterId, ownerId, accent, scenes }: Drawing,
): Promise<Pictures> {
  const storage = await openStorage(config)
  const library = new Library({ db, config, log, storage: async () => storage })
  const pictures = new Map<string, string>()
  for (const scene of scenes) {
    const drawn = await halftone(scene, accent)
    const { id } = await library.add({ newsletterId, personId: ownerId, data: drawn, name: `${scene}.png` })
    pictures.set(scene, id)
  }
  return pictures
}
