import { expect, test } from 'vitest'
import { matching } from './matching.ts'

const choice = (label: string) => ({ key: label, label, icon: () => null as never, run: () => {} })
const groups = [
  { key: 'blocks', label: 'Blocs', choices: ['Image', 'Vidéo', 'Le prénom de chaque lecteur'].map(choice) },
  { key: 'dividers', label: 'Séparateur', choices: ['Trois étoiles', 'Filet'].map(choice) },
  { key: 'gates', label: 'Réservé', choices: ['Abonnés payants seulement', 'Seulement pour les abonnés'].map(choice) },
]
const found = (query: string) => matching(groups, query).flatMap(({ choices }) => choices.map(({ label }) => label))

test.each([
  [
    '',
    [
      'Image',
      'Vidéo',
      'Le prénom de chaque lecteur',
      'Trois étoiles',
      'Filet',
      'Abonnés payants seulement',
      'Seulement pour les abonnés',
    ],
  ],
  ['video', ['Vidéo']],
  ['VIDÉ', ['Vidéo']],
  ['etoi', ['Trois étoiles']],
  ['lecteur pre', ['Le prénom de chaque lecteur']],
  ['separateur', ['Trois étoiles', 'Filet']],
  ['separateur fil', ['Filet']],
  ['seulement ab', ['Abonnés payants seulement', 'Seulement pour les abonnés']],
  ['seul', ['Seulement pour les abonnés', 'Abonnés payants seulement']],
  ['f', ['Filet']],
  ['mage', []],
  ['etc/hosts', []],
])('%j finds %j', (query, labels) => {
  expect(found(query)).toEqual(labels)
})
