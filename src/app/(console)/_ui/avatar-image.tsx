"use client";

import { useState } from "react";

/** A picture that goes when it cannot be loaded, so that what is below it shows. */
export function AvatarImage({ src }: { src: string }) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return null;
  return (
    // biome-ignore lint/performance/noImgElement: the platform serves pictures of this size
    <img
      src={src}
      alt=""
      loading="lazy"
      referrerPolicy="no-referrer"
      // It may have failed before React listens.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setIsBroken(true);
      }}
      onError={() => setIsBroken(true)}
    />
  );
}
