// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.runtime.process.LookupHandler;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.RemoteClassResolver;
import io.fiber.spi.CallerHost;
import java.io.IOException;

/** The classes that are sent in a session, as one of its processes has them. Thread-safe. */
public interface SessionClasses extends RemoteClassResolver, LookupHandler {

    /** The maximum length of a class name in a class file. */
    int GREATEST_NAME_CHARS = 65_535;

    /**
     * Returns a class of an edition.
     *
     * @throws IOException if there is no such class, or its loader does not provide its bytes; the message says which
     */
    ClassContent find(int edition, String name) throws IOException;

    @Override
    default Payload answer(PayloadInput question, CallerHost.Reach reach) throws IOException {
        int edition = question.readInt();
        String name = question.readText();
        if (!isBinaryName(name)) {
            throw new IOException("'" + name + "' is not the name of a class.");
        }
        PayloadOutput out = new PayloadOutput();
        find(edition, name).writeTo(out);
        return out.toPayload();
    }

    /** The name becomes part of a path, so nothing in it may lead elsewhere. */
    private static boolean isBinaryName(String name) {
        boolean isName = name.length() <= GREATEST_NAME_CHARS && !("." + name + ".").contains("..");
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isOfWord = Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
            isName &= isOfWord || c == '-' || c == '.';
        }
        return isName;
    }
}
