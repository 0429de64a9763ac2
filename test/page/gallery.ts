/** `npm run gallery`: serves every state of the page under an address of its own, until it is stopped. */
import process from 'node:process';
import { serveGallery } from './server.ts';

const { origin } = await serveGallery();
process.stdout.write(`Gallery ready at ${origin}/gallery\n`);
