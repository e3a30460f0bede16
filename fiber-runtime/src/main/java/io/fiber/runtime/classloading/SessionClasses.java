// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.runtime.process.LookupHandler;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.RemoteClassResolver;
import io.fiber.spi.CallerHost;
import java.io.IOException;

/** The classes that travel in a session, as one of its processes has them. Thread-safe. */
public interface SessionClasses extends RemoteClassResolver, LookupHandler {

    /** The longest name of a class in a class file. */
    int GREATEST_NAME_CHARS = 65_535;

    /**
     * Returns a class of an edition.
     *
     * @throws IOException when there is no such class, or its loader gives no bytes of it; the message says which
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

    /** A name is made into a path: nothing in it may lead anywhere else. */
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
