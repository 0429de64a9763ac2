import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { create as createDigest } from 'multiformats/hashes/digest';
import { identity } from 'multiformats/hashes/identity';
import { sha256 } from 'multiformats/hashes/sha2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GatewayForms } from '../../../../../src-main/core/features/evidence/content/gatewayForms.ts';
import { HeliaGateway } from '../../../../support/gateway/heliaGateway.ts';
import { fetchRig, someBytes } from './fetchRig.ts';

const file = someBytes(1_500_000);
const shape = { chunkBytes: 100_000, links: 4 };

describe('a file from a trustless gateway', () => {
  it('comes as a CAR, every block held against its hash', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    expect(await rig.fetch(cid)).toBe('blocks');
    expect(rig.bytes().equals(file)).toBe(true);
    expect(rig.sizes).toEqual([file.byteLength]);
    expect(rig.gateway.asked).toHaveLength(1);
  });

  it('is asked for without a token, a cookie or a decoder', async () => {
    const rig = await fetchRig();
    await rig.fetch(await rig.gateway.add(file, shape));
    const headers = rig.gateway.asked[0]?.headers ?? {};
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
    expect(headers['accept-encoding']).toBe('identity');
  });

  it('comes block by block where no CAR is given, also as version 0', async () => {
    const rig = await fetchRig();
    rig.gateway.fault = (request, response) => {
      if (!request.url?.includes('format=car')) return false;
      response.writeHead(406).end();
      return true;
    };
    const cid = await rig.gateway.add(file, { ...shape, cidVersion: 0 });
    expect(await rig.fetch(cid)).toBe('blocks');
    expect(rig.bytes().equals(file)).toBe(true);
    // One refusal may have been a moment's; after that of a second file no further one is provoked.
    const formsOf = async (seed: number): Promise<(string | null)[]> => {
      rig.gateway.asked.length = 0;
      await rig.fetch(await rig.gateway.add(someBytes(10, seed)));
      return rig.gateway.asked.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('format'));
    };
    expect(await formsOf(7)).toEqual(['car', 'raw']);
    expect(await formsOf(8)).toEqual(['raw']);
  });

  it('is asked for in a refused form again after ten minutes, or when it was given once', () => {
    const forms = new GatewayForms();
    const refuse = (): void => {
      for (const cid of ['one', 'another']) forms.refused('https://a.example', 'car', cid, 1_000);
    };
    refuse();
    forms.given('https://a.example', 'car');
    expect(forms.refuses('https://a.example', 'car', 1_000)).toBe(false);
    refuse();
    expect(forms.refuses('https://a.example', 'car', 600_999)).toBe(true);
    expect(forms.refuses('https://a.example', 'car', 601_000)).toBe(false);
  });

  it('comes as a CAR again after a gateway gave one file as plain bytes', async () => {
    const rig = await fetchRig();
    const isCar = (url = ''): boolean => url.includes('format=car');
    rig.gateway.isTrustless = false;
    expect(await rig.fetch(await rig.gateway.add(file, shape))).toBe('bytes');
    rig.gateway.isTrustless = true;
    expect(await rig.fetch(await rig.gateway.add(someBytes(300_000, 5), shape))).toBe('blocks');
    // Also from a gateway that had refused CARs for long: it has no plain bytes of this one.
    rig.gateway.isTrustless = false;
    for (const seed of [6, 7])
      expect(await rig.fetch(await rig.gateway.add(someBytes(10, seed)))).toBe('bytes');
    rig.gateway.isTrustless = true;
    rig.gateway.fault = (request, response) => {
      if (request.url?.includes('format=') === true) return false;
      response.writeHead(404).end();
      return true;
    };
    rig.gateway.asked.length = 0;
    expect(await rig.fetch(await rig.gateway.add(someBytes(300_000, 8), shape))).toBe('blocks');
    expect(rig.gateway.asked.map(({ path }) => isCar(path))).toEqual([false, true]);
  });

  it('goes on where it was cut', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    let cuts = 0;
    rig.gateway.fault = (_request, response) => {
      const { write } = response;
      let left = 500_000;
      if (cuts >= 2) return false;
      cuts += 1;
      response.write = ((part: Uint8Array) => {
        left -= part.byteLength;
        if (left < 0) response.destroy();
        return write.call(response, part, 'utf8', () => undefined);
      }) as typeof response.write;
      return false;
    };
    expect(await rig.fetch(cid)).toBe('blocks');
    expect(rig.bytes().equals(file)).toBe(true);
    expect(cuts).toBe(2);
    expect(rig.gateway.asked.at(-1)?.path).toMatch(/entity-bytes=[1-9]\d*:\*/);
  });

  it('needs no gateway where the CID holds its bytes', async () => {
    const rig = await fetchRig();
    const cid = CID.createV1(raw.code, identity.digest(new TextEncoder().encode('small'))).toString();
    expect(await rig.fetch(cid)).toBe('blocks');
    expect(rig.bytes().toString()).toBe('small');
    expect(rig.gateway.asked).toEqual([]);
  });
});

describe('an item’s own address', () => {
  const elsewhere = 'photos/flood.jpg';
  /** A gateway that has the file at another address only. */
  async function atAnAddress() {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    rig.addresses.push(`${rig.gateway.url}${elsewhere}`);
    rig.gateway.fault = (request, response) => {
      if (request.url?.endsWith(elsewhere)) {
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(file);
      } else response.writeHead(404).end();
      return true;
    };
    const asked = (): string[] => rig.gateway.asked.map(({ path }) => path.replace(/\?.*/, ''));
    return { rig, cid, asked };
  }

  it('is asked for the bytes where no gateway has the CID, and they are still to be held against it', async () => {
    const { rig, cid, asked } = await atAnAddress();
    expect(await rig.fetch(cid)).toBe('bytes');
    expect(rig.bytes().equals(file)).toBe(true);
    expect(asked()).toEqual([`/ipfs/${cid}`, `/ipfs/${elsewhere}`]);
    expect(rig.gateway.asked.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('is not asked where a gateway has the CID', async () => {
    const { rig, cid } = await atAnAddress();
    rig.gateway.fault = null;
    expect(await rig.fetch(cid)).toBe('blocks');
    expect(rig.gateway.asked).toHaveLength(1);
  });

  it('says less than the gateway where nothing lies there', async () => {
    const { rig, cid, asked } = await atAnAddress();
    rig.gateway.fault = (request, response) => {
      response.writeHead(request.url?.endsWith(elsewhere) ? 404 : 429).end();
      return true;
    };
    expect(await rig.fetch(cid)).toBe('too-many-requests');
    expect(asked()).toHaveLength(2);
  });

  it('is not asked where it lies under no gateway', async () => {
    const { rig, cid, asked } = await atAnAddress();
    const other = await HeliaGateway.start();
    onTestFinished(() => other.close());
    const { url } = rig.gateway;
    for (const address of [
      `${other.url}flood.jpg`,
      url.replace('/ipfs/', '/login'),
      `${url}../login`,
      url.replace('//', '//user:word@'),
      '../login',
      'file:///x',
    ]) {
      rig.addresses.splice(0, 1, address);
      await rig.fetch(cid);
    }
    expect(new Set(asked())).toEqual(new Set([`/ipfs/${cid}`]));
    expect(other.asked).toEqual([]);
  });
});

describe('what does not prove itself', () => {
  it('is a mismatch where a block in the middle is another', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    const leaf = CID.createV1(raw.code, await sha256.digest(file.subarray(700_000, 800_000)));
    await rig.gateway.blocks.put(leaf, someBytes(100_000, 9));
    expect(await rig.fetch(cid)).toBe('content-mismatch');
    expect(rig.bytes().byteLength).toBe(700_000);
  });

  it('is bytes where a gateway gives nothing else', async () => {
    const rig = await fetchRig();
    rig.gateway.isTrustless = false;
    expect(await rig.fetch(await rig.gateway.add(file, shape))).toBe('bytes');
    expect(rig.bytes().equals(file)).toBe(true);
  });

  it('is nothing where a page of a network answers', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    rig.gateway.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
      return true;
    };
    expect(await rig.fetch(cid)).toBe('page');
  });

  it.each([
    [404, 'not-found'],
    [429, 'too-many-requests'],
    [451, 'refused-by-service'],
    [500, 'service-error'],
    [511, 'answered-by-something-else'],
  ])('is a failure at status %i', async (status, code) => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    rig.gateway.fault = (_request, response) => {
      response.writeHead(status).end();
      return true;
    };
    expect(await rig.fetch(cid)).toBe(code);
    expect(rig.bytes().byteLength).toBe(0);
  });

  it('is given up where a gateway hangs, before and in the middle of its answer', async () => {
    const rig = await fetchRig({ patienceMs: 200 });
    const cid = await rig.gateway.add(file, shape);
    rig.gateway.fault = () => true;
    expect(await rig.fetch(cid)).toBe('timed-out');
    rig.gateway.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.ipld.car' });
      response.write(Uint8Array.of(0x3a));
      return true;
    };
    expect(await rig.fetch(cid)).toBe('timed-out');
  });

  it('is not followed away from the gateways that are allowed', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    rig.gateway.fault = (request, response) => {
      const location = request.url?.startsWith('/ipfs/') ? `/elsewhere/${cid}` : 'no';
      response.writeHead(302, { location }).end();
      return true;
    };
    expect(await rig.fetch(cid)).toBe('answered-by-something-else');
    expect(rig.gateway.asked.every(({ path }) => path.startsWith('/ipfs/'))).toBe(true);
  });

  it('is followed within one of them', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    rig.gateway.fault = (request, response) => {
      if (request.url?.includes('moved')) {
        request.url = request.url.replace('moved/', '');
        return false;
      }
      response.writeHead(301, { location: (request.url ?? '').replace('/ipfs/', '/ipfs/moved/') }).end();
      return true;
    };
    expect(await rig.fetch(cid)).toBe('blocks');
  });
});

describe('graphs that are made to harm', () => {
  const put = async (rig: Awaited<ReturnType<typeof fetchRig>>, node: Uint8Array): Promise<CID> => {
    const cid = CID.createV1(dagPb.code, await sha256.digest(node));
    await rig.gateway.blocks.put(cid, node);
    return cid;
  };
  const nodeOver = (children: readonly (readonly [CID, bigint])[]): Uint8Array => {
    const unixfs = new UnixFS({ type: 'file', blockSizes: children.map(([, bytes]) => bytes) });
    return dagPb.encode({
      Data: unixfs.marshal(),
      Links: children.map(([Hash]) => ({ Hash, Name: '', Tsize: 1 })),
    });
  };
  const leafOf = async (rig: Awaited<ReturnType<typeof fetchRig>>, bytes: Uint8Array): Promise<CID> => {
    const cid = CID.createV1(raw.code, await sha256.digest(bytes));
    await rig.gateway.blocks.put(cid, bytes);
    return cid;
  };

  it('ten thousand nodes deep', async () => {
    const rig = await fetchRig();
    // Block by block: the writer of the CAR does not come to an end of such a graph.
    rig.gateway.fault = (request, response) => {
      if (!request.url?.includes('format=car')) return false;
      response.writeHead(406).end();
      return true;
    };
    let cid = await leafOf(rig, someBytes(100));
    for (let depth = 0; depth < 10_000; depth += 1) cid = await put(rig, nodeOver([[cid, 100n]]));
    expect(await rig.fetch(cid.toString())).toBe('unreadable-answer');
    expect(rig.bytes().byteLength).toBe(0);
    expect(rig.gateway.asked.length).toBeLessThan(100);
  });

  it('children without a byte, sizes that are not theirs, and folders', async () => {
    const rig = await fetchRig();
    const leaf = await leafOf(rig, someBytes(100));
    const empty = await put(rig, nodeOver([[leaf, 0n]]));
    expect(await rig.fetch(empty.toString())).toBe('unreadable-answer');
    const wrong = await put(rig, nodeOver([[leaf, 101n]]));
    expect(await rig.fetch(wrong.toString())).toBe('unreadable-answer');
    const folder = await put(
      rig,
      dagPb.encode({
        Data: new UnixFS({ type: 'directory' }).marshal(),
        Links: [{ Hash: leaf, Name: 'a', Tsize: 100 }],
      }),
    );
    expect(await rig.fetch(folder.toString())).toBe('bad-request');
    expect(rig.bytes().byteLength).toBe(0);
  });

  it('a hash that was cut short, which other bytes have too', async () => {
    const rig = await fetchRig();
    const { code, digest } = (await sha256.digest(file)) as { code: number; digest: Uint8Array };
    const short = CID.createV1(raw.code, createDigest(code, digest.subarray(0, 8)));
    rig.gateway.fault = (request, response) => {
      if (request.url?.includes('format=car')) response.writeHead(406).end();
      else response.writeHead(200, { 'content-type': 'application/vnd.ipld.raw' }).end(file);
      return true;
    };
    expect(await rig.fetch(short.toString())).toBe('unreadable-answer');
    expect(rig.bytes().byteLength).toBe(0);
  });

  it('a block without an end', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    let sent = 0;
    rig.gateway.fault = (request, response) => {
      if (request.url?.includes('format=car')) response.writeHead(406).end();
      else {
        response.writeHead(200, { 'content-type': 'application/vnd.ipld.raw' });
        const more = (): void => {
          while (sent < 32 * 1024 * 1024) {
            sent += 65_536;
            if (!response.write(someBytes(65_536))) {
              response.once('drain', more);
              return;
            }
          }
          response.end();
        };
        more();
      }
      return true;
    };
    // Read to its end it would be a mismatch.
    expect(await rig.fetch(cid)).toBe('unreadable-answer');
  });

  it('bytes from a later one on than was asked for', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    rig.gateway.isTrustless = false;
    rig.gateway.fault = (_request, response) => {
      response.writeHead(206, {
        'content-range': `bytes 5-${String(file.byteLength - 1)}/${String(file.byteLength)}`,
      });
      response.end(file.subarray(5));
      return true;
    };
    expect(await rig.fetch(cid)).toBe('unreadable-answer');
    expect(rig.bytes().byteLength).toBe(0);
  });

  it('more bytes than are kept, by the root and without an end', async () => {
    const rig = await fetchRig();
    const cid = await rig.gateway.add(file, shape);
    expect(await rig.fetch(cid, 1_000_000)).toBe('answer-too-large');
    expect(rig.bytes().byteLength).toBe(0);
    rig.gateway.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' });
      const more = (): void => {
        while (response.write(someBytes(65_536)));
        response.once('drain', more);
      };
      more();
      return true;
    };
    expect(await rig.fetch(cid, 1_000_000)).toBe('answer-too-large');
    expect(rig.bytes().byteLength).toBeLessThanOrEqual(1_000_000);
  });
});
